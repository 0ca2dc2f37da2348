import type { LanguageModelChatTool } from 'vscode';
import type { CatalogTool } from '../../core/catalog/catalogTypes';
import { modelSchema } from '../../core/catalog/modelSchema';

/** A tool as models are told of it; nothing where its schema cannot be given to one. */
export function toModelTool({ exposedName, key, tool }: CatalogTool): LanguageModelChatTool | undefined {
  const adapted = modelSchema(tool);
  if (adapted.problem) {
    return undefined;
  }
  const words = [tool.description ?? tool.title ?? tool.name, adapted.notes, `(server: ${key})`];
  return { name: exposedName, description: words.filter(Boolean).join('\n'), inputSchema: adapted.schema };
}
