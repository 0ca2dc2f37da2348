import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../base/jsonObject';
import { visibleJson } from '../../base/visibleJson';
import type { ArgumentFault } from '../../core/policy/policyTypes';
import {
  type FieldValue,
  type FormModel,
  formModel,
  type FormValues,
  initialValues,
  toArguments,
  valuesOf,
} from './formModel';

type Content =
  { readonly mode: 'fields'; readonly values: FormValues } | { readonly mode: 'json'; readonly text: string };

/** What a form holds, in fields or as JSON, and which faults it shows. Knows nothing of how it is drawn. */
export class FormState {
  private readonly model: FormModel;
  private content: Content;
  /** By field name; `''` is the JSON as a whole. Shown once a form was submitted, then for as long as they last. */
  private errors: Readonly<Record<string, string>> = {};
  private submitted = false;

  constructor(
    private readonly schema: unknown,
    args?: Readonly<Record<string, unknown>>,
  ) {
    this.model = formModel(schema);
    const values = args === undefined ? initialValues(this.model) : valuesOf(this.model, { ...args });
    this.content =
      this.model.mode === 'fields' && values
        ? { mode: 'fields', values }
        : { mode: 'json', text: JSON.stringify(args ?? {}, undefined, 2) };
  }

  fits(schema: unknown): boolean {
    return isDeepStrictEqual(this.schema, schema);
  }

  /** An untouched control comes as null: the message to and from a webview is JSON. */
  setValues(values: readonly (readonly [string, FieldValue | null])[]): void {
    const held = values.map(([name, value]) => [name, value ?? undefined] as const);
    this.content = { mode: 'fields', values: Object.fromEntries(held) };
    this.revalidate();
  }

  setText(text: string): void {
    this.content = { mode: 'json', text };
    this.revalidate();
  }

  /** Turns fields into JSON and back; false where the fields cannot hold what the JSON says. */
  switchMode(): boolean {
    if (this.content.mode === 'fields') {
      this.content = { mode: 'json', text: JSON.stringify(this.read().args, undefined, 2) };
    } else {
      const { args, errors } = this.read();
      const values = Object.keys(errors).length === 0 ? valuesOf(this.model, args) : undefined;
      if (!values) {
        return false;
      }
      this.content = { mode: 'fields', values };
    }
    this.submitted = false;
    this.errors = {};
    return true;
  }

  /** The arguments, on the way to be sent. */
  check(): { readonly args: JsonObject; readonly valid: boolean } {
    const { args, errors } = this.read();
    this.submitted = true;
    this.errors = errors;
    return { args, valid: Object.keys(errors).length === 0 };
  }

  /** Puts faults found elsewhere at their fields; true where some belong to none. */
  setFaults(faults: readonly ArgumentFault[]): boolean {
    const errors = new Map<string, string>();
    let rest = false;
    for (const { path, message } of faults) {
      const [, token = '', ...below] = path.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

      const known = this.content.mode === 'fields' && this.model.fields.some((field) => field.name === token);
      if (known || this.content.mode === 'json') {
        const key = known ? token : '';
        const text = known
          ? below.length > 0
            ? `${below.join('.')} ${message}`
            : `It ${message}.`
          : `${path.slice(1) || 'arguments'} ${message}`;
        const before = errors.get(key);
        errors.set(key, before === undefined ? text : `${before}\n${text}`);
      } else {
        rest = true;
      }
    }
    this.errors = Object.fromEntries(errors);
    return rest;
  }

  shownErrors(): readonly (readonly [string, string])[] {
    return this.submitted ? Object.entries(this.errors) : [];
  }

  /** The whole arguments as they will be sent, invisible characters made visible. */
  preview(): string {
    return visibleJson(this.read().args);
  }

  drawing(): Readonly<Record<string, unknown>> {
    return {
      mode: this.content.mode,
      canSwitch: this.model.mode === 'fields' && this.model.fields.length > 0,
      fields: this.model.fields,
      values: this.content.mode === 'fields' ? Object.entries(this.content.values) : [],
      text: this.content.mode === 'json' ? this.content.text : '',
    };
  }

  private revalidate(): void {
    if (this.submitted) {
      this.errors = this.read().errors;
    }
  }

  private read(): { readonly args: JsonObject; readonly errors: Readonly<Record<string, string>> } {
    if (this.content.mode === 'fields') {
      return toArguments(this.model, this.content.values);
    }
    try {
      const args: unknown = JSON.parse(this.content.text.trim() || '{}');
      return isObject(args) ? { args, errors: {} } : { args: {}, errors: { '': 'Arguments are a JSON object: { … }' } };
    } catch (error) {
      return {
        args: {},
        errors: { '': `This is not JSON: ${error instanceof Error ? error.message : String(error)}` },
      };
    }
  }
}
