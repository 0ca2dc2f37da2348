// Draws the steps of a diagnosis as they come. All text of a server is set as text, never as markup.
const host = acquireVsCodeApi();
const byId = (id) => document.getElementById(id);
const outcomes = {
  ok: { mark: '✓', word: 'works' },
  warning: { mark: '!', word: 'warning' },
  failed: { mark: '✕', word: 'fails' },
  skipped: { mark: '–', word: 'skipped' },
};

function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function drawStep({ title, outcome, detail, addresses, advice }) {
  const { mark, word } = outcomes[outcome];
  const sign = element('span', { className: 'mark', textContent: mark });
  sign.setAttribute('aria-hidden', 'true');
  const heading = element(
    'h2',
    {},
    element('span', { textContent: title }),
    ' ',
    element('span', { className: 'outcome', textContent: word }),
  );
  const parts = [heading];
  if (detail) {
    parts.push(element('p', { className: 'detail', textContent: detail }));
  }
  if (addresses.length > 0) {
    const rows = addresses.map(({ url, answer }) =>
      element(
        'li',
        {},
        element('code', { textContent: url }),
        ' ',
        element('span', { className: 'answer', textContent: answer }),
      ),
    );
    const list = element('ul', { className: 'addresses' }, ...rows);
    list.setAttribute('aria-label', 'Addresses tried');
    parts.push(list);
  }
  if (advice) {
    parts.push(element('p', { className: 'advice' }, element('strong', { textContent: 'What to do: ' }), advice));
  }
  const step = element(
    'li',
    { className: `step outcome-${outcome}` },
    sign,
    element('div', { className: 'found' }, ...parts),
  );
  byId('steps').append(step);
}

function setRunning(isRunning, summary) {
  const stopHadFocus = document.activeElement === byId('stop');
  byId('summary').textContent = summary;
  byId('steps').setAttribute('aria-busy', String(isRunning));
  byId('stop').hidden = !isRunning;
  byId('again').hidden = isRunning;
  byId('signIn').disabled = isRunning;
  if (!isRunning && stopHadFocus) {
    byId('again').focus();
  }
}

function draw({ heading, from, steps, isRunning, summary }) {
  const againHadFocus = document.activeElement === byId('again');
  byId('heading').textContent = heading;
  byId('from').textContent = from;
  byId('copied').textContent = '';
  byId('steps').replaceChildren();
  steps.forEach(drawStep);
  document.body.hidden = false;
  setRunning(isRunning, summary);
  if (againHadFocus && isRunning) {
    byId('stop').focus();
  }
}

for (const id of ['signIn', 'again', 'stop', 'copy']) {
  byId(id).addEventListener('click', () => host.postMessage({ type: id }));
}
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && !byId('stop').hidden) {
    host.postMessage({ type: 'stop' });
  }
});
window.addEventListener('message', ({ data }) => {
  switch (data.type) {
    case 'draw':
      draw(data);
      break;
    case 'step':
      drawStep(data.step);
      byId('summary').textContent = data.summary;
      break;
    case 'end':
      setRunning(false, data.summary);
      break;
    case 'copied':
      byId('copied').textContent = 'Copied.';
      break;
  }
});
host.postMessage({ type: 'ready' });
