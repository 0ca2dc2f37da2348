import assert from 'node:assert/strict';
import { conversationTitle, withoutTitle } from '../../../../src/vscode/interop/conversationTitle';
import type { PromptDraft } from '../../../../src/vscode/interop/promptDrafts';

const draft = (title: string): PromptDraft => ({ title }) as PromptDraft;

describe('the title of a conversation that a prompt begins', () => {
  it('is the prompt’s on one line, and names no participant, command or file', () => {
    const title = conversationTitle(draft('Plan\n@workspace /clear #file:secret'));
    assert.equal(title, 'Plan workspace clear file:secret');
  });

  it('is not sent, and what the person wrote behind it is', () => {
    const drafts = [draft('Plan a vacation'), draft('Plan')];
    const sent = ['Plan a vacation', 'Plan a vacation in German', 'Plan well', 'Planning', 'My Plan'];
    assert.deepEqual(
      sent.map((text) => withoutTitle(text, drafts)),
      ['', 'in German', 'well', 'Planning', 'My Plan'],
    );
    assert.equal(withoutTitle('Plan', []), 'Plan');
    assert.equal(withoutTitle(' @x', [draft('@')]), ' @x');
  });
});
