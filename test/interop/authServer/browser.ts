import { PorticoError } from '../../../src/base/errors';
import type { AuthorizationUi } from '../../../src/core/connections/auth/authTypes';

const HOPS = 30;

/** A person with a browser: follows redirects, keeps cookies, fills in the forms of a sign-in and sends them. */
export class Browser implements AuthorizationUi {
  /** The pages that it was sent to. */
  readonly pages: URL[] = [];
  private readonly cookies = new Map<string, string>();

  constructor(private readonly redirectUrl = 'http://127.0.0.1:33418/auth') {}

  begin: AuthorizationUi['begin'] = async () => ({
    way: 'loopback',
    redirectUrl: this.redirectUrl,
    go: (url, signal) => this.go(url, signal),
    dispose: () => undefined,
  });

  private async go(page: URL, signal: AbortSignal): Promise<URLSearchParams> {
    this.pages.push(page);
    let next: { readonly url: URL; readonly form?: URLSearchParams } = { url: page };
    for (let hops = 0; hops < HOPS; hops += 1) {
      if (next.url.href.startsWith(this.redirectUrl)) {
        return next.url.searchParams;
      }
      const response = await fetch(next.url, {
        redirect: 'manual',
        signal,
        headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(next.form ? { method: 'POST', body: next.form } : {}),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        this.cookies.set(name, value);
      }
      const location = response.headers.get('location');
      next = location === null ? filledForm(await response.text(), next.url) : { url: new URL(location, next.url) };
    }
    throw new PorticoError('AUTH_FAILED', 'The sign-in has no end.');
  }
}

function filledForm(html: string, base: URL): { readonly url: URL; readonly form: URLSearchParams } {
  const [form] = /<form[\s\S]*?<\/form>/.exec(html) ?? [];
  if (form === undefined) {
    throw new PorticoError('AUTH_FAILED', `There is no form: ${html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')}`);
  }
  const values = new URLSearchParams();
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const attribute = (name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1];
    const name = attribute('name');
    if (name !== undefined) {
      values.set(name, attribute('value') ?? 'somebody');
    }
  }
  const action = /\baction="([^"]*)"/.exec(form)?.[1] ?? '';
  return { url: new URL(action, base), form: values };
}
