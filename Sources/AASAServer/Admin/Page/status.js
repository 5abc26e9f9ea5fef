// Asks for /status.json every second and draws it. Text from the server is only ever set as text,
// never as markup.
'use strict';
const byId = id => document.getElementById(id);
const make = (tag, text, name) => {
  const node = document.createElement(tag);
  if (text !== undefined && text !== null) node.textContent = text;
  if (name) node.className = name;
  return node;
};
// A name of a host breaks behind its dots; only a part that is too long for a phone breaks
// anywhere.
const named = (tag, host) => {
  const parts = host.split('.');
  const node = make(tag, null, parts.some(part => part.length > 14) ? '' : 'h');
  parts.forEach((part, index) => node.append(...(index
    ? [document.createElement('wbr'), '.' + part] : [part])));
  return node;
};
const svg = (tag, attributes) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  return node;
};
const count = n => {
  if (n >= 1e9) return (n / 1e9).toFixed(1) + ' G';
  if (n >= 1e6) return (n / 1e6).toFixed(1) + ' M';
  if (n >= 1e4) return (n / 1e3).toFixed(1) + ' k';
  return Number.isInteger(n) ? n.toLocaleString('en') : n.toFixed(2);
};
const bytes = n => n >= 1e9 ? (n / 1e9).toFixed(2) + ' GB' : n >= 1e6
  ? (n / 1e6).toFixed(1) + ' MB' : n >= 1e3 ? (n / 1e3).toFixed(1) + ' KB' : n + ' B';
const span = s => {
  s = Math.max(0, Math.round(s));
  if (s < 120) return s + ' s';
  if (s < 7200) return Math.round(s / 60) + ' min';
  if (s < 172800) return Math.round(s / 3600) + ' h';
  return Math.floor(s / 86400) + ' days';
};
const time = s => new Date(s * 1000).toLocaleTimeString([],
  { hour: '2-digit', minute: '2-digit', second: seconds > 120 ? undefined : '2-digit' });
const clock = s => new Date(s * 1000).toLocaleString([],
  { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });

const charts = [
  { title: 'Answers per second', lines: [['answered', '200'], ['unavailable', '503']] },
  { title: 'New connections per second',
    lines: [['accepted', 'accepted'], ['gaveUp', 'left without an answer'],
            ['handshakes', 'handshakes']] },
  { title: 'Connections', lines: [['open', 'open'], ['waiting', 'waiting', 3]] },
  { title: 'CPU cores in use', lines: [['processors', 'cores']], least: 1 },
];
let seconds = 300, latest = null;

const nice = top => {
  const power = Math.pow(10, Math.floor(Math.log10(top)));
  for (const step of [1, 2, 2.5, 5, 10]) if (step * power >= top) return step * power;
  return 10 * power;
};
for (const chart of charts) {
  chart.node = make('div', null, 'chart');
  const header = make('header');
  header.append(make('h3', chart.title));
  chart.key = make('div', null, 'key');
  header.append(chart.key);
  chart.svg = svg('svg', { viewBox: '0 0 600 130', preserveAspectRatio: 'none',
    role: 'img', 'aria-label': chart.title });
  chart.axis = make('div', null, 'axis');
  chart.scale = make('div', null, 'key');
  chart.node.append(header, chart.svg, chart.axis, chart.scale);
  byId('charts').append(chart.node);
  chart.svg.addEventListener('pointermove', event => {
    const box = chart.svg.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width;
    for (const other of charts) other.cursor = at;
    drawCharts();
  });
  chart.svg.addEventListener('pointerleave', () => {
    for (const other of charts) other.cursor = null;
    drawCharts();
  });
}
for (const button of document.querySelectorAll('[data-span]')) {
  button.addEventListener('click', () => {
    seconds = Number(button.dataset.span);
    for (const other of document.querySelectorAll('[data-span]'))
      other.classList.toggle('on', other === button);
    drawCharts();
  });
}

function drawCharts() {
  if (!latest) return;
  const history = latest.history, now = latest.now, times = history.second;
  let first = 0;
  while (first < times.length && times[first] < now - seconds) first++;
  const x = second => 600 * (1 - (now - second) / seconds);
  for (const chart of charts) {
    let top = chart.least || 4;
    for (const [name] of chart.lines)
      for (let i = first; i < times.length; i++) top = Math.max(top, history[name][i]);
    top = nice(top);
    const y = value => 128 - 124 * value / top;
    chart.svg.replaceChildren(
      svg('line', { x1: 0, x2: 600, y1: 128, y2: 128, class: 'grid' }),
      svg('line', { x1: 0, x2: 600, y1: y(top / 2), y2: y(top / 2), class: 'grid' }),
      svg('line', { x1: 0, x2: 600, y1: 4, y2: 4, class: 'grid' }));
    chart.lines.forEach(([name, , color], index) => {
      let path = '';
      for (let i = first; i < times.length; i++)
        path += (path ? 'L' : 'M') + x(times[i]).toFixed(1) + ' '
          + y(history[name][i]).toFixed(1);
      if (!path) return;
      if (index === 0)
        chart.svg.append(svg('path', { class: 'a1', d: path + 'L'
          + x(times[times.length - 1]).toFixed(1) + ' 128L'
          + x(times[first]).toFixed(1) + ' 128Z' }));
      chart.svg.append(svg('path', { class: 'l' + (color || index + 1), d: path }));
    });
    chart.axis.replaceChildren(...[1, .75, .5, .25, 0].map(share =>
      make('span', share ? time(now - share * seconds) : 'now')));
    let shown = times.length - 1;
    const hovers = chart.cursor !== null && chart.cursor !== undefined;
    if (hovers && times.length) {
      const wanted = now - seconds * (1 - chart.cursor);
      for (let i = first; i < times.length; i++)
        if (Math.abs(times[i] - wanted) <= Math.abs(times[shown] - wanted)) shown = i;
      const at = x(times[shown]);
      chart.svg.append(svg('line', { x1: at, x2: at, y1: 0, y2: 128, class: 'cursor' }));
    }
    chart.key.replaceChildren(...chart.lines.map(([name, label, color], index) => {
      const entry = make('span');
      entry.append(make('i', null, 'c' + (color || index + 1)));
      entry.append(label + ' ' + (shown >= 0 ? count(history[name][shown]) : '–'));
      return entry;
    }));
    chart.scale.textContent = 'top of the scale: ' + count(top)
      + (hovers && shown >= 0 ? ' · ' + span(now - times[shown]) + ' ago' : '');
  }
}

function draw(status) {
  latest = status;
  const words = { well: 'All is well', attention: 'Attention needed',
    overloaded: 'Overloaded', failing: 'Something is wrong' };
  byId('verdict').className = 'verdict ' + status.health;
  byId('headline').textContent = words[status.health] || status.health;
  const apps = status.hosts.reduce((sum, host) => sum + host.apps, 0);
  const say = (n, one, many) => n + ' ' + (n === 1 ? one : many);
  byId('summary').textContent = status.phase + ' '
    + say(status.hosts.length, 'host', 'hosts') + ' with ' + say(apps, 'app', 'apps')
    + ', up ' + span(status.now - status.started)
    + ', generation ' + status.generation
    + ', reloads ' + status.reloads.succeeded + ' good, ' + status.reloads.failed
    + ' rejected'
    + (status.fleet ? ', fleet ' + status.fleet.name + '/' + status.fleet.channel
      + (status.fleet.serving ? ' at revision ' + status.fleet.serving : '') : '');
  document.title = (status.health === 'well' ? '● ' : '▲ ') + 'aasa';
  byId('reasons').replaceChildren(...status.problems.map(problem => {
    const item = make('li', problem.text);
    if (problem.fix) item.append(make('p', 'Fix: ' + problem.fix, 'soft'));
    return item;
  }));
  byId('version').textContent = status.version + ' · '
    + say(status.workers, 'worker', 'workers');
  drawTiles(status);
  drawCharts();
  drawStorm(status.storm, status.now);
  drawHosts(status.hosts);
  drawCertificates(status);
}

function drawTiles(status) {
  const last = name => {
    const column = status.history[name];
    return column.length ? column[column.length - 1] : 0;
  };
  const tile = (label, value, note, bad) => {
    const node = make('div', null, 'tile' + (bad ? ' bad' : ''));
    node.append(make('span', label, 'soft'), make('b', value),
      make('span', note, 'soft'));
    return node;
  };
  const traffic = status.traffic, open = status.connections;
  byId('tiles').replaceChildren(
    tile('answers / s', count(last('answered')), count(traffic.answered) + ' in total'),
    tile('503 / s', count(last('unavailable')), count(traffic.unavailable) + ' in total',
      last('unavailable') > 0),
    tile('left without an answer / s', count(last('gaveUp')), count(traffic.gaveUp) + ' in total',
      last('gaveUp') > 0),
    tile('connections', count(open.open), 'of ' + count(open.limit) + ', '
      + count(open.waiting) + ' waiting'),
    tile('cores in use', last('processors').toFixed(2),
      span(traffic.processorSeconds) + ' in total'),
    tile('memory', bytes(traffic.residentBytes), 'sent ' + bytes(traffic.bytesSent)));
}

function facts(pairs) {
  const node = make('div', null, 'facts');
  for (const [label, value] of pairs) {
    const fact = make('div');
    fact.append(make('span', label, 'soft'), make('b', value));
    node.append(fact);
  }
  return node;
}

function drawStorm(storm, now) {
  if (!storm) {
    byId('storm').replaceChildren(make('p', 'None since the start: aasa rejected '
      + 'no client because of load, and saw no surge of connections.', 'soft'));
    return;
  }
  const asked = storm.answered + storm.unavailable + storm.gaveUp + storm.cut;
  const share = asked ? (100 * storm.answered / asked).toFixed(2) + ' %' : '–';
  byId('storm').replaceChildren(facts([
    [storm.over ? 'started' : 'in progress since', clock(storm.began)],
    ['lasted', span((storm.over ? storm.lastSeen : now) - storm.began)],
    ['answered with the document', count(storm.answered) + ' (' + share + ')'],
    ['answered 503', count(storm.unavailable)],
    ['left without an answer', count(storm.gaveUp)],
    ['cut without an answer', count(storm.cut)],
    ['most answers / s', count(storm.peakAnswersPerSecond)],
    ['most new connections / s', count(storm.peakConnectionsPerSecond)],
    ['most open connections', count(storm.peakOpen)],
    ['most waiting', count(storm.peakWaiting)],
  ]));
}

function meter(fraction, state) {
  const node = make('div', null, 'meter ' + state);
  const fill = make('i');
  fill.style.width = (100 * Math.min(1, Math.max(0, fraction))).toFixed(1) + '%';
  node.append(fill);
  return node;
}

// The phrase for a host's state, and the class that colours it.
function state(host) {
  if (!host.available) return [host.hasCertificate ? 'answers 503' : 'no certificate', 'bad'];
  if (host.keptSince) return ['last good version', 'warn'];
  return host.problem ? ['attention needed', 'warn'] : ['served as ' + host.form, ''];
}

// Broken hosts come first. More hosts than a screen holds are a table with a filter, which selects
// the certificates as well.
const wanted = () => byId('filter').value.trim().toLowerCase();
const limited = (found, all, what) => make('p', found > 200
  ? 'and ' + (found - 200) + ' more: use the filter' : found + ' of ' + all + ' ' + what, 'soft');
function drawHosts(hosts) {
  const ranks = ['bad', 'warn', ''];
  const rank = host => ranks.indexOf(state(host)[1]);
  const sorted = [...hosts].sort((a, b) => rank(a) - rank(b));
  const many = hosts.length > 10;
  byId('filter').hidden = !many;
  byId('hosts').className = many ? 'card' : 'hosts';
  if (!many) return byId('hosts').replaceChildren(...sorted.map(drawHost));
  const found = sorted.filter(host => [host.name, ...host.aliases,
    ...host.teams.map(team => team.team)].some(text => text.toLowerCase().includes(wanted())));
  const table = make('table');
  const head = make('tr');
  head.append(make('th', 'host'), make('th', 'state'), make('th', 'apps', 'n wide'),
    make('th', 'bytes', 'n wide'), make('th', 'answers', 'n'));
  table.append(head);
  for (const host of found.slice(0, 200)) {
    const [phrase, color] = state(host);
    const row = make('tr');
    const cell = make('td');
    cell.append(make('span', phrase, 'tag ' + color));
    row.append(named('td', host.name), cell, make('td', host.apps, 'n wide'),
      make('td', host.bytes.toLocaleString('en'), 'n wide'),
      make('td', count(host.answers.json + host.answers.signed), 'n'));
    table.append(row);
    if (!host.problem) continue;
    const why = make('tr');
    const text = make('td', null, color === 'bad' ? 'problem' : 'problem mild');
    text.colSpan = 5;
    text.append(...problem(host));
    why.append(text);
    table.append(why);
  }
  byId('hosts').replaceChildren(table, limited(found.length, hosts.length, 'hosts'));
}
byId('filter').addEventListener('input', () => {
  if (!latest) return;
  drawHosts(latest.hosts);
  drawCertificates(latest);
});

// What is wrong with a host, and the suggested fix.
const problem = host => [make('span', host.kept || host.problem),
  ...(host.fix ? [make('p', 'Fix: ' + host.fix, 'soft')] : [])];

function drawHost(host) {
  const card = make('div', null, 'card');
  const top = make('div', null, 'top');
  const [phrase, color] = state(host);
  top.append(make('h3', host.name), make('span', phrase, 'tag ' + color));
  card.append(top);
  if (host.aliases.length)
    card.append(make('p', 'also ' + host.aliases.join(', '), 'soft'));
  for (const left of host.departures)
    card.append(make('p', 'team ' + left.team + ' was removed at '
      + new Date(left.since * 1000).toISOString().slice(0, 16).replace('T', ' ')
      + ' UTC, with ' + left.apps + (left.apps === 1 ? ' app' : ' apps'), 'soft'));
  if (host.problem) {
    const text = make('div', null, 'problem' + (host.available ? ' mild' : ''));
    text.append(...problem(host));
    card.append(text);
  }
  const share = host.bytes / host.bytesMaximum;
  card.append(meter(share, share > .95 ? 'bad' : share > .8 ? 'warn' : ''));
  card.append(make('p', host.bytes.toLocaleString('en') + ' of '
    + host.bytesMaximum.toLocaleString('en') + ' bytes · ' + host.apps
    + (host.apps === 1 ? ' app' : ' apps'), 'soft'));
  const table = make('table');
  const head = make('tr');
  head.append(make('th', 'team'), make('th', 'apps', 'n'), make('th', 'bytes', 'n'));
  table.append(head);
  for (const team of host.teams) {
    const row = make('tr');
    row.append(make('td', team.team), make('td', team.apps, 'n'),
      make('td', team.bytes ? team.bytes.toLocaleString('en') : '–', 'n'));
    table.append(row);
  }
  if (host.teams.length) card.append(table);
  const answers = host.answers;
  const parts = [[answers.json, 'JSON'], [answers.signed, 'signed'],
    [answers.sibling, answers.sibling === 1 ? 'sibling' : 'siblings'], [answers.notFound, '404'],
    [answers.unavailable, '503']].filter(([n]) => n > 0);
  card.append(make('p', parts.length
    ? 'answered ' + parts.map(([n, what]) => count(n) + ' ' + what).join(', ')
    : 'not asked yet', 'soft'));
  return card;
}

function drawCertificates(status) {
  const table = make('table');
  const head = make('tr');
  head.append(make('th', 'host'), make('th', 'key'), make('th', 'expires'),
    make('th', 'life left'));
  table.append(head);
  const all = status.certificates, many = !byId('filter').hidden;
  const found = all.filter(({ host }) => !many || host.toLowerCase().includes(wanted()))
    .sort((a, b) => a.lifeLeft - b.lifeLeft);
  for (const certificate of found.slice(0, 200)) {
    const row = make('tr');
    const left = certificate.ends - status.now;
    const life = make('td');
    life.append(meter(certificate.lifeLeft, certificate.lifeLeft < .125 ? 'bad'
      : certificate.lifeLeft < .25 ? 'warn' : ''));
    const host = named('td', certificate.host);
    if (certificate.keptSince) host.append(' ', make('span',
      'last good version since ' + clock(certificate.keptSince), 'tag warn'));
    row.append(host, make('td', certificate.keyType, 'w'),
      make('td', left > 0 ? 'in ' + span(left) : span(-left) + ' ago', 'w'), life);
    table.append(row);
  }
  byId('certificates').replaceChildren(...(!all.length ? [make('p', 'none loaded', 'soft')]
    : many ? [table, limited(found.length, all.length, 'certificates')] : [table]));
  if (status.renewals) drawRenewals(status.renewals, status.now);
}

function drawRenewals(renewals, now) {
  const table = make('table');
  const head = make('tr');
  head.append(make('th', 'by ACME'), make('th', 'key'), make('th', 'state'),
    make('th', 'next'), make('th', 'failed', 'n'));
  table.append(head);
  for (const entry of renewals.entries) {
    const row = make('tr');
    const next = entry.next === null ? '–' : entry.next > now
      ? 'in ' + span(entry.next - now) : 'now';
    row.append(named('td', entry.host), make('td', entry.key),
      make('td', entry.state + ': ' + entry.note), make('td', next, 'w'),
      make('td', entry.tries, 'n'));
    table.append(row);
    if (!entry.lastError) continue;
    const why = make('tr');
    const cell = make('td', [entry.lastError, entry.remedy].filter(Boolean).join('. '), 'soft');
    cell.colSpan = 5;
    why.append(cell);
    table.append(why);
  }
  byId('certificates').append(table);
}

async function turn() {
  try {
    // A process that was stopped, or a tunnel that was cut, never says no.
    const answer = await fetch('/status.json',
      { cache: 'no-store', signal: AbortSignal.timeout(10000) });
    if (!answer.ok) throw new Error('status ' + answer.status);
    draw(await answer.json());
  } catch (error) {
    document.title = '▲ aasa';
    byId('verdict').className = 'verdict failing';
    byId('headline').textContent = 'No answer from the server';
    byId('summary').textContent = 'It has stopped, or cannot be reached from here.';
  }
  setTimeout(turn, document.hidden ? 10000 : 1000);
}
turn();
