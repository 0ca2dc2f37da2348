import { formModel, isSimple } from '../interop/formModel';

/** The editor's chat asks field by field, without an overview. */
const mostFields = 4;
/** What a person wants a whole window for. */
const files = /\b(file|folder|directory|path|attachment|upload)s?\b/i;

/** Whether a question is simple enough for the client whose call led to it. */
export function suitsCaller(schema: unknown): boolean {
  const { mode, fields } = formModel(schema);
  return (
    mode === 'fields' &&
    fields.length <= mostFields &&
    fields.every((field) => {
      const words = `${field.name} ${field.label}`.replace(/([a-z])([A-Z])|_/g, '$1 $2');
      return (isSimple(field) || field.control.kind === 'checks') && !files.test(words);
    })
  );
}
