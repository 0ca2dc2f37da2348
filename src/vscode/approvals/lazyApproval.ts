import type { ApprovalUi } from '../../core/policy/policyTypes';
import type { VirtualDocuments } from '../interop/virtualDocuments';

/** The approval dialog, loaded with its first question. */
export function lazyApprovalUi(documents: VirtualDocuments): ApprovalUi {
  return {
    ask: async (request, signal) => {
      const { ApprovalDialog } = await import('./approvalDialog');
      return new ApprovalDialog(documents).ask(request, signal);
    },
  };
}
