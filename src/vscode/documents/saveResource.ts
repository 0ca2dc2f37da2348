import { homedir } from 'node:os';
import { Uri, window, workspace } from 'vscode';
import { sizeText } from '../../base/sizeText';
import type { DocumentArgument, ResourceArgument } from '../../ids';
import { documentName } from '../interop/documentName';
import { toResourceAddress } from '../interop/resourceAddress';
import { inertLine } from '../interop/text';
import type { ResourceContent } from './resourceContents';
import { tabUris } from './tabUris';

/** Saves the bytes of a resource, or of one of its parts, where the person says: a row's, or the active tab's. */
export async function saveResource(
  contentsOf: (resource: ResourceArgument) => Promise<readonly ResourceContent[]>,
  argument: ResourceArgument | DocumentArgument | undefined,
): Promise<void> {
  const resource = resourceOf(argument);
  if (!resource) {
    void window.showInformationMessage('Choose a resource in the Resources view to save it.');
    return;
  }
  const contents = await contentsOf(resource);
  const content = resource.part === undefined ? await pickContent(contents) : contents[resource.part];
  if (!content) {
    if (contents.length <= (resource.part ?? 0)) {
      void window.showInformationMessage('There is nothing to save: the server sent no such content.');
    }
    return;
  }
  const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
  const target = await window.showSaveDialog({
    title: 'Save Resource As',
    defaultUri: Uri.joinPath(folder, documentName(content)),
  });
  if (target) {
    await workspace.fs.writeFile(target, content.bytes);
  }
}

function resourceOf(argument: ResourceArgument | DocumentArgument | undefined): ResourceArgument | undefined {
  if (argument && 'server' in argument) {
    return argument;
  }
  const tab = window.tabGroups.activeTabGroup.activeTab;
  const address = argument ?? (tab && tabUris(tab)[0]);
  return address && toResourceAddress(address);
}

async function pickContent(contents: readonly ResourceContent[]): Promise<ResourceContent | undefined> {
  if (contents.length <= 1) {
    return contents[0];
  }
  const items = contents.map((content) => ({
    label: inertLine(documentName(content), 80),
    description: [inertLine(content.mimeType ?? '', 60), sizeText(content.size)].filter(Boolean).join(' · '),
    content,
  }));
  const picked = await window.showQuickPick(items, { title: 'Save Resource As', placeHolder: 'Choose a part' });
  return picked?.content;
}
