import { formModel } from '../interop/formModel';
import { plainLine } from '../interop/text';

// Words for what a form must not ask for (spec: client/elicitation, form mode security), in lower case, one space between.

const secrets =
  /pass ?(word|wd|phrase|code)|secret(?!ar)|credential|(api|access|private|license|recovery|signing|encryption|ssh) ?keys?\b|token(?!s|i)|(seed|recovery) ?phrase|mnemonic|\b(pin|pwd|otp|cvv|cvc|ssn|iban)\b|card ?number|social ?security|(verification|one time|security) ?code/;
/** Words that are a secret's as a name; in a sentence they are anything. */
const secretNames = /^pass( \d+)?$|\b(user|login|account|admin|root|db|my) pass\b|\b(pw|pat)\b/;
/** What a sentence says is not wanted: "do not give us your phone number, pin …". */
const refusals =
  /(?:\b(?:not|never|no|without|cannot)|n['’]t)(?: \w+)?? (?:give|tell|enter|share|send|include|type|provide|use|put|write|paste|add|need|ask|require|want|your|an?|the|any|password|secret|token|pin)\b[^.!?;:()\n]*/gi;
const asking =
  /\b(enter|type|provide|give|tell|paste|supply|send|submit|insert|input|write|share|confirm|fill|needs?|needed|requires?|required|what|please|(log|sign) ?in|authenticate)\b|:$/;
/** A text may be megabytes long. */
const maxLooked = 4_000;

/** Names the fields that look as if a secret were wanted, or says that the message asks for one; nothing where none does. */
export function secretWarning(who: string, message: string, schema: unknown): string | undefined {
  const { mode, fields } = formModel(schema);
  const typed = fields.filter(({ control }) => control.kind === 'text' || control.kind === 'number');
  const suspects = typed.filter(({ name, label, description = '', control }) => {
    const isText = control.kind === 'text';
    return (
      (isText && control.format === 'password') ||
      isSecretName(name) ||
      isSecretName(label) ||
      (isText && sentences(typed.length === 1 ? `${description}\n${message}` : description).some(isAboutSecret))
    );
  });
  const goes = `A server must not ask for secrets in a form: what you type goes to ${who} as plain text, and may be kept there.`;
  if (suspects.length > 0) {
    const names = suspects.slice(0, 5).map(({ label }) => `“${plainLine(label, 40)}”`);
    return `${names.join(', ')} ${suspects.length === 1 ? 'looks like a secret' : 'look like secrets'}. ${goes}`;
  }
  const asksForSecret = sentences(message).some((one) => isAboutSecret(one) && asking.test(words(one)));
  return (typed.length > 0 || mode === 'json') && asksForSecret
    ? `This server seems to ask for a secret. ${goes}`
    : undefined;
}

function isSecretName(name: string): boolean {
  const said = words(name.slice(0, maxLooked));
  return secrets.test(said) || secretNames.test(said);
}

/** The sentences of a text, without what they say is not wanted. */
function sentences(text: string): readonly string[] {
  return text
    .slice(0, maxLooked)
    .replace(refusals, ' ')
    .split(/[.!?;\n]+/);
}

function isAboutSecret(sentence: string): boolean {
  return secrets.test(words(sentence)) || /\bPAT\b/.test(sentence);
}

/** `apiKey`, `API_KEY` and `API-Key` are all "api key". */
function words(text: string): string {
  return text
    .replace(/([a-z])([A-Z\d])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .replace(/[^\p{L}\d:]+/gu, ' ')
    .trim()
    .toLowerCase();
}
