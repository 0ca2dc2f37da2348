import type { CallToolResult } from '@modelcontextprotocol/client';
import { commands } from 'vscode';
import type { CatalogTool, ToolRef } from '../../core/catalog/catalogTypes';
import { resultFiles } from './resultDocument';
import { fileName } from './fileName';
import type { VirtualDocuments } from './virtualDocuments';

interface ShownRun {
  readonly ref: ToolRef;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Which tool of which server, by its key. */
type ShownTool = Pick<CatalogTool, 'ref' | 'key'>;

const kept = 100;

/** Shows results as read-only documents in the preview tab, and knows which call each of them came from. */
export class ResultViewer {
  private readonly runs = new Map<string, ShownRun>();
  private shown = 0;
  /** Paths must not meet those of tabs that the editor restored from an earlier life of the window. */
  private readonly life = Date.now().toString(36);

  constructor(private readonly documents: VirtualDocuments) {}

  async show(result: CallToolResult, { ref, key }: ShownTool, args: Readonly<Record<string, unknown>>): Promise<void> {
    this.shown += 1;
    const folder = `/results/${this.life}-${this.shown}`;
    const uris = resultFiles(result, { tool: ref.name, server: key, serverId: ref.server }).map(({ name, content }) =>
      this.documents.put(`${folder}/${fileName(name)}`, content),
    );
    this.runs.set(folder, { ref, args });
    const [oldest] = this.runs.keys();
    if (this.runs.size > kept && oldest !== undefined) {
      this.runs.delete(oldest);
    }
    // `vscode.open` takes the editor that fits, the image viewer included.
    await commands.executeCommand('vscode.open', uris[0], { preview: true });
  }

  runOf(uri: { readonly path: string } | undefined): ShownRun | undefined {
    return uri && this.runs.get(uri.path.split('/').slice(0, 3).join('/'));
  }
}
