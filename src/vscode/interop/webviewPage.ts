import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';

/** A page of ours in a panel: style sheets and one script of `media`, by their paths there, and the body's markup. */
export interface WebviewPage {
  readonly title: string;
  readonly styles: readonly string[];
  readonly script: string;
  /** Fixed markup; what anybody else wrote is set as text by the script. */
  readonly body: string;
}

/** The page's HTML. Only its own style sheets and its script load, and nothing inline, from elsewhere or by address runs. */
export function webviewPage(webview: Webview, media: Uri, { title, styles, script, body }: WebviewPage): string {
  const nonce = randomBytes(18).toString('base64');
  const address = (file: string): string => webview.asWebviewUri(Uri.joinPath(media, file)).toString();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
${styles.map((file) => `<link rel="stylesheet" href="${address(file)}">`).join('\n')}
<title>${title}</title>
</head>
<body hidden>
${body}
<script nonce="${nonce}" type="module" src="${address(script)}"></script>
</body>
</html>`;
}
