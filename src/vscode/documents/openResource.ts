import { commands as editorCommands, Uri, window } from 'vscode';
import { PorticoError, toProblem } from '../../base/errors';
import { sizeText } from '../../base/sizeText';
import { commands, type ResourceArgument } from '../../ids';
import { runCommand } from '../interop/commands';
import type { Services } from '../interop/contribution';
import { documentAddress } from '../interop/documentAddress';
import { documentName } from '../interop/documentName';
import { withLateProgress } from '../interop/lateProgress';
import { hasViewer } from '../interop/mimeTypes';
import { inertLine } from '../interop/text';
import type { ResourceContent } from './resourceContents';
import type { ResourceReader } from './resourceReader';

/** Two openings of one resource within this time, in milliseconds, are a double click. */
const doubleClickMs = 500;

/** Opens resources in the editor that fits: a preview tab, or one that stays on a double click. */
export class ResourceOpener {
  private last = { name: '', at: 0 };

  constructor(
    private readonly services: Services,
    private readonly reader: ResourceReader,
  ) {}

  /** Reads anew, starting the server and asking for consent where needed. Of several contents the first is opened. */
  async open(resource: ResourceArgument): Promise<void> {
    const preview = !this.isSecondClick(resource);
    const contents = await readInSight(this.reader, resource);
    const content = contents[resource.part ?? 0];
    const uri = Uri.from(documentAddress(this.services, resource));
    if (content && !content.text && !hasViewer(uri.path)) {
      await this.offerBytes(resource, content, uri);
    } else {
      await editorCommands.executeCommand('vscode.open', uri, { preview });
    }
  }

  private isSecondClick({ server, uri, part }: ResourceArgument): boolean {
    const name = JSON.stringify([server, uri, part]);
    const now = Date.now();
    const second = this.last.name === name && now - this.last.at < doubleClickMs;
    this.last = { name, at: now };
    return second;
  }

  /** The editor would show them as garbage; one that another extension has a viewer for can still be opened. */
  private async offerBytes(resource: ResourceArgument, content: ResourceContent, uri: Uri): Promise<void> {
    const type = inertLine(content.mimeType ?? 'of unknown type', 80);
    const choice = await window.showInformationMessage(
      `${inertLine(documentName(content), 80)} is binary: ${type}, ${sizeText(content.size)}.`,
      'Save As…',
      'Open Anyway',
    );
    if (choice === 'Save As…') {
      await runCommand(commands.saveResourceAs, resource);
    } else if (choice === 'Open Anyway') {
      await editorCommands.executeCommand('vscode.open', uri);
    }
  }
}

/** Reads a resource as the person wants it now: they may be asked something, see that it takes long, and can cancel it. */
export function readInSight(reader: ResourceReader, resource: ResourceArgument): Promise<readonly ResourceContent[]> {
  const { server, uri } = resource;
  const name = inertLine(documentName(resource), 60);
  return withLateProgress(`Reading ${name} of ${inertLine(server, 60)}`, async (signal, onProgress) => {
    try {
      return await reader.read(resource, { interactive: true, signal, onProgress });
    } catch (error) {
      if (error instanceof PorticoError) {
        throw error;
      }
      const message = `"${server}" did not give ${uri}: ${toProblem(error).message} Refresh the Resources view to see what there is.`;
      throw new PorticoError('RESOURCE_FAILED', message, { server, cause: error });
    }
  });
}
