import { formModel } from '../interop/formModel';
import { plainLine } from '../interop/text';

/** Words for what a form must not ask for (spec: client/elicitation, form mode security). */
const words =
  /pass(word|wd|phrase|code)|secret|credential|(api|access|private|secret|license).?key|token(?!s)|(?<![a-z])(pin|otp|cvv|cvc|ssn|iban)(?![a-z])|card.?number|social.?security/i;

/** Names the fields that look as if a secret were wanted; nothing where none does. */
export function secretWarning(who: string, message: string, schema: unknown): string | undefined {
  const fields = formModel(schema).fields.filter(({ control }) => control.kind === 'text' || control.kind === 'number');
  const suspects = fields.filter(({ name, label, description = '', control }) => {
    const isText = control.kind === 'text';
    const about = [name, label, isText ? description : '', isText && fields.length === 1 ? message : ''];
    return (isText && control.format === 'password') || about.some((text) => words.test(text));
  });
  if (suspects.length === 0) {
    return undefined;
  }
  const names = suspects.slice(0, 5).map(({ label }) => `“${plainLine(label, 40)}”`);
  const looks = suspects.length === 1 ? 'looks like a secret' : 'look like secrets';
  return `${names.join(', ')} ${looks}. A server must not ask for secrets in a form: what you type goes to ${who} as plain text, and may be kept there.`;
}
