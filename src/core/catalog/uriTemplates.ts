import type { TemplateValue, TemplateVariable } from './catalogTypes';

export function variables(template: string): readonly TemplateVariable[] {
  throw new Error(`Not read yet: ${template}`);
}

export function expand(template: string, values: Readonly<Record<string, TemplateValue | undefined>>): string {
  throw new Error(`Not expanded yet: ${template} ${Object.keys(values).length}`);
}
