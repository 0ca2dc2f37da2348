import { IssuerMismatchError, OAuthError, RegistrationRejectedError } from '@modelcontextprotocol/client';
import { PorticoError } from '../../../base/errors';
import { shortText } from '../../../base/plainText';
import { shown } from './discovery';

const DIAGNOSE = 'Diagnose Sign-In shows the steps.';

/** The sentence for a failed sign-in. Nothing of what was sent is repeated: it holds codes and secrets. */
export function toAuthError(error: unknown, server: string, advice = DIAGNOSE): PorticoError {
  if (PorticoError.is(error)) {
    return error;
  }
  const fail = (what: string): PorticoError =>
    new PorticoError('AUTH_FAILED', `Server "${server}": ${what} ${advice}`, { server });
  if (error instanceof IssuerMismatchError) {
    const { expected, received } = error;
    return fail(
      `the browser came back with an answer that names ${received === undefined ? 'no issuer' : `the issuer ${shown(received)}`}, but ${shown(expected ?? '')} was asked. The answer is not used.`,
    );
  }
  if (error instanceof RegistrationRejectedError) {
    return fail(
      `its authorization server refused to register Portico (HTTP ${error.status})${said(registrationReason(error.body))}.`,
    );
  }
  if (error instanceof OAuthError) {
    return fail(`its authorization server refused (${shortText(error.code)})${said(error.message)}.`);
  }
  const unread = whatIsUnread(error);
  if (unread !== undefined) {
    return fail(`its authorization server sent something that cannot be read${unread}.`);
  }
  return fail(`the sign-in failed${said(error instanceof Error ? error.message : String(error))}.`);
}

/** Whether a registration was refused because of the address to come back to (RFC 7591 section 3.2.2). */
export function isAddressRefused(error: unknown): boolean {
  return (
    error instanceof RegistrationRejectedError &&
    /invalid_redirect_uri|invalid_client_metadata|redirect_uri/.test(error.body)
  );
}

/** RFC 7591 section 3.2.2; a page or other JSON is for programs. */
function registrationReason(body: string): string {
  try {
    const { error, error_description: text } = JSON.parse(body) as { error?: unknown; error_description?: unknown };
    return ([text, error].find((one) => typeof one === 'string' && one.trim() !== '') as string | undefined) ?? '';
  } catch {
    return '';
  }
}

/** Where it comes from a parser: its own text is for programs, and repeats what was sent. The field, where it is known. */
function whatIsUnread(error: unknown): string | undefined {
  const issues = error instanceof Error && 'issues' in error ? error.issues : undefined;
  if (Array.isArray(issues)) {
    const [field] = (issues as readonly { readonly path?: readonly unknown[] }[])[0]?.path ?? [];
    return typeof field === 'string' ? ` ("${shortText(field)}")` : '';
  }
  return error instanceof SyntaxError ? '' : undefined;
}

function said(text: string): string {
  const line = shortText(text).replace(/\.$/, '');
  return line === '' ? '' : `: ${line}`;
}
