import type { LanguageModelChatTool } from 'vscode';
import type { Catalog, CatalogTool } from '../../core/catalog/catalogTypes';

/** A tool as models are told of it; nothing where its schema cannot be given to one. */
export async function toModelTool(catalog: Catalog, entry: CatalogTool): Promise<LanguageModelChatTool | undefined> {
  const { exposedName, key, tool } = entry;
  const adapted = await catalog.modelSchemaOf(entry);
  if (adapted.problem) {
    return undefined;
  }
  const words = [tool.description ?? tool.title ?? tool.name, adapted.notes, `(server: ${key})`];
  return { name: exposedName, description: words.filter(Boolean).join('\n'), inputSchema: adapted.schema };
}
