import { env, window } from 'vscode';
import type { Services } from '../interop/contribution';
import { inertLine } from '../interop/text';
import { bridgeLine } from './bridgeCommand';

/** *Copy Bridge Command*: for agents that take a command, and for a look at what they get. */
export async function copyBridgeCommand({ sharing }: Pick<Services, 'sharing'>): Promise<void> {
  const { launcher } = await sharing.start();
  const line = bridgeLine(launcher, process.platform);
  await env.clipboard.writeText(line);
  void window.showInformationMessage(inertLine(`Copied: ${line}`, 1_000));
}
