// Draws the form that the extension describes and tells it what was typed. All text of a server is set as text, never as markup.
const host = acquireVsCodeApi();
const byId = (id) => document.getElementById(id);
const parts = {
  header: document.querySelector('header'),
  actions: document.querySelector('.actions'),
  heading: byId('heading'),
  from: byId('from'),
  about: byId('about'),
  page: byId('page'),
  warning: byId('warning'),
  alert: byId('alert'),
  fields: byId('fields'),
  form: byId('form'),
  submit: byId('submit'),
  other: byId('other'),
  close: byId('close'),
  stop: byId('stop'),
  status: byId('status'),
  mode: byId('mode'),
  preview: byId('preview'),
  sight: byId('sight'),
};

/** Field name → { value(), show error }. */
let controls = new Map();
let mode = 'fields';

/** What would not be seen, or would turn the text's direction, is written out as in the editor: `[U+202E]`. */
const unseen =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]/gu;

function seen(text) {
  return text.replace(unseen, (char) => `[U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
}

function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-') || key === 'for' || key === 'role') {
      node.setAttribute(key, seen(value));
    } else {
      node[key] = key === 'textContent' ? seen(value) : value;
    }
  }
  node.append(...children);
  return node;
}

function changed() {
  if (mode === 'json') {
    host.postMessage({ type: 'text', text: controls.get('').value() });
  } else {
    host.postMessage({ type: 'values', values: [...controls].map(([name, control]) => [name, control.value()]) });
  }
}

function grow(area) {
  area.rows = Math.min(Math.max(area.value.split('\n').length, Number(area.dataset.least ?? 1)), 20);
}

function textArea(id, value, least, code) {
  const area = element('textarea', { id, value: value ?? '', className: code ? 'code' : '', spellcheck: false });
  area.dataset.least = String(least);
  grow(area);
  area.addEventListener('input', () => grow(area));
  return area;
}

/** A text control counts as untouched until something was typed, so that an emptied text can be told from an absent one. */
function touchable(input, initial) {
  let touched = initial !== undefined;
  input.addEventListener('input', () => {
    touched = true;
    changed();
  });
  return () => (touched ? input.value : undefined);
}

const builders = {
  text(id, field, value) {
    const { format, multiline } = field.control;
    const type = { password: 'password', date: 'date' }[format] ?? 'text';
    const input = multiline
      ? textArea(id, value, 1, false)
      : element('input', { id, type, value: value ?? '', spellcheck: false, autocomplete: 'off' });
    return { nodes: [input], focus: input, value: touchable(input, value) };
  },
  number(id, field, value) {
    const inputMode = field.control.integer && (field.control.minimum ?? -1) >= 0 ? 'numeric' : 'decimal';
    const input = element('input', { id, type: 'text', inputMode, value: value ?? '', autocomplete: 'off' });
    return { nodes: [input], focus: input, value: touchable(input, value) };
  },
  select(id, field, value) {
    const input = element('select', { id });
    input.append(element('option', { value: '', textContent: field.required ? 'Choose…' : 'Not set' }));
    for (const { label, json } of field.control.options) {
      input.append(element('option', { value: json, textContent: label }));
    }
    input.value = value ?? '';
    input.addEventListener('input', changed);
    return { nodes: [input], focus: input, value: () => (input.value === '' ? undefined : input.value) };
  },
  json(id, field, value) {
    const input = textArea(id, value, 3, true);
    return { nodes: [input], focus: input, value: touchable(input, value) };
  },
  boolean(id, field, value) {
    const input = element('input', { id, type: 'checkbox', checked: value === true });
    let touched = value !== undefined;
    input.addEventListener('input', () => {
      touched = true;
      changed();
    });
    return { nodes: [input], focus: input, value: () => (touched ? input.checked : undefined) };
  },
  checks(id, field, value) {
    let touched = value !== undefined;
    const boxes = field.control.options.map(({ label, json }, index) => {
      const box = element('input', {
        type: 'checkbox',
        id: `${id}-${index}`,
        value: json,
        checked: (value ?? []).includes(json),
      });
      box.addEventListener('input', () => {
        touched = true;
        changed();
      });
      return {
        box,
        node: element('label', { className: 'choice', for: box.id }, box, element('span', { textContent: label })),
      };
    });
    return {
      nodes: boxes.map(({ node }) => node),
      focus: boxes[0]?.box,
      value: () => (touched ? boxes.filter(({ box }) => box.checked).map(({ box }) => box.value) : undefined),
    };
  },
  list(id, field, value) {
    let touched = value !== undefined;
    const rows = element('div');
    const add = element('button', { type: 'button', id, textContent: `Add to ${field.label}` });
    const touch = () => {
      touched = true;
      [...rows.children].forEach((row, index) => {
        row.firstChild.setAttribute('aria-label', seen(`${field.label}, row ${index + 1}`));
        row.lastChild.setAttribute('aria-label', seen(`Remove row ${index + 1} of ${field.label}`));
      });
    };
    const addRow = (text) => {
      const input = element('input', { type: 'text', value: text, spellcheck: false, autocomplete: 'off' });
      const remove = element('button', { type: 'button', textContent: 'Remove' });
      const row = element('div', { className: 'row' }, input, remove);
      input.addEventListener('input', changed);
      input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
          event.preventDefault();
          addRow('').focus();
          changed();
        }
      });
      remove.addEventListener('click', () => {
        const next = row.nextElementSibling ?? row.previousElementSibling;
        row.remove();
        touch();
        changed();
        (next?.firstChild ?? add).focus();
      });
      rows.append(row);
      touch();
      return input;
    };
    for (const text of value ?? []) {
      addRow(text);
    }
    touched = value !== undefined;
    add.addEventListener('click', () => {
      addRow('').focus();
      changed();
    });
    return {
      nodes: [rows, add],
      focus: add,
      value: () => (touched ? [...rows.children].map((row) => row.firstChild.value) : undefined),
    };
  },
};

function requiredMark() {
  return element(
    'span',
    { className: 'required', title: 'Required' },
    element('span', { 'aria-hidden': 'true', textContent: ' *' }),
    ' ',
    element('span', { className: 'key', textContent: 'required' }),
  );
}

function hintOf({ description, control, unchecked }) {
  const notes = [];
  if (control.kind === 'number') {
    const { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = control;
    const low =
      minimum !== undefined ? `from ${minimum}` : exclusiveMinimum !== undefined ? `more than ${exclusiveMinimum}` : '';
    const high =
      maximum !== undefined ? `to ${maximum}` : exclusiveMaximum !== undefined ? `less than ${exclusiveMaximum}` : '';
    notes.push([integer ? 'Whole number' : 'Number', low, high].filter(Boolean).join(' '));
  } else if (control.kind === 'json') {
    notes.push(`JSON: ${control.shape}`);
  } else if (control.kind === 'text') {
    const { format, pattern, minLength, maxLength } = control;
    const example = {
      'date-time': ', such as 2026-01-31T09:30:00Z',
      uri: ', such as https://example.com/',
      time: ', such as 09:30:00Z',
    };
    notes.push(
      format && format !== 'date' && format !== 'password' ? `Format: ${format}${example[format] ?? ''}` : '',
      pattern ? `Pattern: ${pattern}` : '',
    );
    notes.push(minLength ? `At least ${minLength} characters` : '', maxLength ? `At most ${maxLength} characters` : '');
  } else if (control.kind === 'list' || control.kind === 'checks') {
    notes.push(control.min ? `At least ${control.min}` : '', control.max ? `At most ${control.max}` : '');
  }
  return [description, notes.filter(Boolean).join(' · '), unchecked].filter(Boolean).join('\n');
}

function drawField(field, value, index) {
  const id = `field-${index}`;
  const built = builders[field.control.kind](id, field, value);
  const hintText = hintOf(field);
  const hint = element('p', { className: 'hint', id: `${id}-hint`, textContent: hintText, hidden: hintText === '' });
  const error = element('p', { className: 'error', id: `${id}-error`, hidden: true });
  const title = [element('span', { textContent: field.label })];
  if (field.label !== field.name) {
    // The space keeps the two apart in the accessible name.
    title.push(' ', element('span', { className: 'key', textContent: field.name }));
  }
  if (field.required) {
    title.push(requiredMark());
  }
  const heading = element('span', { className: 'title' }, ...title);
  const grouped = field.control.kind === 'checks' || field.control.kind === 'list';
  const described = `${id}-hint ${id}-error`;
  let node;
  if (grouped) {
    node = element(
      'fieldset',
      { className: 'field', 'aria-describedby': described },
      element('legend', {}, heading),
      hint,
      ...built.nodes,
      error,
    );
  } else if (field.control.kind === 'boolean') {
    node = element(
      'div',
      { className: 'field' },
      element('label', { className: 'check', for: id }, ...built.nodes, heading),
      hint,
      error,
    );
  } else {
    node = element('div', { className: 'field' }, element('label', { for: id }, heading), hint, ...built.nodes, error);
  }
  built.focus?.setAttribute('aria-describedby', described);
  if (field.required && !grouped) {
    built.focus?.setAttribute('aria-required', 'true');
  }
  parts.fields.append(node);
  controls.set(field.name, { ...built, error });
}

function drawJson(text, label) {
  const area = textArea('field-json', text, 8, true);
  const error = element('p', { className: 'error', id: 'field-json-error', hidden: true });
  area.setAttribute('aria-describedby', error.id);
  area.addEventListener('input', changed);
  parts.fields.append(
    element('div', { className: 'field' }, element('label', { for: area.id, textContent: label }), area, error),
  );
  controls.set('', { focus: area, value: () => area.value, error });
}

/** What gets the keyboard is not behind what stays in sight above and below it. */
function keepClear() {
  const isSticky = document.body.classList.contains('asks');
  const { style } = document.documentElement;
  style.scrollPaddingTop = isSticky ? `${parts.header.offsetHeight + 8}px` : '';
  style.scrollPaddingBottom = isSticky ? `${parts.actions.offsetHeight + 8}px` : '';
}

/** A warning names hosts: none is broken at a hyphen, where half of it would pass for the whole. */
function drawWarning(text) {
  const pieces = seen(text).split(/(\s+)/);
  const drawn = pieces.map((piece) =>
    piece.includes('-') ? element('span', { className: 'word', textContent: piece }) : piece,
  );
  parts.warning.replaceChildren(...drawn);
  parts.warning.hidden = text === '';
}

/** An address as text, with the host standing out: it is opened by the button alone. */
function drawPage(page) {
  const { before = '', host = '', after = '' } = page ?? {};
  const name = element('strong', { textContent: host });
  parts.page.replaceChildren(element('span', { textContent: before }), name, element('span', { textContent: after }));
}

function draw(message) {
  mode = message.mode;
  parts.heading.textContent = seen(message.heading);
  parts.from.textContent = seen(message.from);
  parts.about.textContent = seen(message.about);
  parts.about.hidden = message.about === '';
  parts.submit.textContent = message.submitLabel;
  const { asks } = message;
  document.body.classList.toggle('asks', Boolean(asks));
  document.body.classList.toggle('visits', Boolean(asks?.page));
  drawWarning(asks?.warning ?? '');
  parts.page.hidden = !asks?.page;
  parts.other.hidden = !asks;
  if (asks) {
    drawPage(asks.page);
    parts.other.textContent = asks.other;
    parts.close.textContent = 'Cancel';
    parts.close.title = 'Escape; the server is told that you did not answer';
  }
  const noun = asks ? 'Answer' : 'Arguments';
  parts.sight.textContent = `${noun} that will be sent`;
  parts.mode.textContent = mode === 'json' ? 'Back to Fields' : 'Edit as JSON';
  parts.mode.hidden = !message.canSwitch;
  const isWhole = mode === 'json' || Boolean(asks?.page);
  parts.sight.hidden = isWhole;
  parts.preview.hidden = isWhole;
  controls = new Map();
  parts.fields.replaceChildren();
  if (mode === 'json') {
    drawJson(message.text, `${noun} as JSON`);
  } else {
    // Messages are JSON: what is untouched comes as null.
    const values = new Map(message.values.map(([name, value]) => [name, value ?? undefined]));
    message.fields.forEach((field, index) => drawField(field, values.get(field.name), index));
  }
  document.body.hidden = false;
  keepClear();
  // A question comes by itself: keys that were meant for something else must not answer it.
  (asks ? parts.about : ([...controls.values()][0]?.focus ?? parts.submit)).focus();
}

function showState({ preview, errors, alert, busy, status, focusError }) {
  parts.preview.textContent = preview;
  parts.alert.textContent = seen(alert ?? '');
  parts.alert.hidden = !alert;
  parts.submit.disabled = busy;
  parts.stop.hidden = !busy;
  parts.other.disabled = busy;
  parts.close.hidden = busy;
  parts.status.textContent = seen(status ?? '');
  parts.form.setAttribute('aria-busy', String(busy));
  const found = new Map(errors);
  let first;
  for (const [name, { focus, error }] of controls) {
    const text = found.get(name) ?? '';
    error.textContent = seen(text);
    error.hidden = text === '';
    focus?.setAttribute('aria-invalid', String(text !== ''));
    first ??= text === '' ? undefined : focus;
  }
  if (focusError) {
    (first ?? parts.alert).focus();
  }
}

const submit = () => !parts.submit.disabled && host.postMessage({ type: 'submit' });
parts.form.addEventListener('submit', (event) => {
  event.preventDefault();
  submit();
});
parts.other.addEventListener('click', () => host.postMessage({ type: 'other' }));
parts.close.addEventListener('click', () => host.postMessage({ type: 'close' }));
parts.stop.addEventListener('click', () => host.postMessage({ type: 'stop' }));
parts.mode.addEventListener('click', () => host.postMessage({ type: 'switch' }));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    submit();
  } else if (event.key === 'Escape') {
    host.postMessage({ type: parts.stop.hidden ? 'close' : 'stop' });
  }
});
window.addEventListener('resize', keepClear);
window.addEventListener('message', ({ data }) => (data.type === 'draw' ? draw(data) : showState(data)));
host.postMessage({ type: 'ready' });
