// Placeholder: the owner of this target deletes it with the first real file.
