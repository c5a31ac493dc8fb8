import { setImmediate } from 'node:timers/promises'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { FlowTest, maxTestsPerFlow } from '@recado/contract/flows/flow-tests'
import { failingTests } from '@recado/contract/flows/simulate-flow'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'

/** The saved tests of a flow. */
export async function loadTests(scope: Scope, flowId: number): Promise<FlowTest[]> {
  const rows = await scope.db
    .selectFrom('flowTests')
    .select(['id', 'name', 'scene', 'entries', 'trace'])
    .where('companyId', '=', scope.companyId)
    .where('flowId', '=', flowId)
    .orderBy('id')
    .limit(maxTestsPerFlow)
    .execute()
  // A test of an earlier release may lack what was added since.
  return rows.map((row) => FlowTest.parse(row))
}

/** Refuses a document through which a saved test of the flow takes another way. */
export async function assertTestsPass(scope: Scope, flowId: number, document: FlowDocument): Promise<void> {
  for (const test of await loadTests(scope, flowId)) {
    if (failingTests(document, [test]).length) throw new AppError('ERR_FLOW_TEST_FAILED')
    // Other requests get their turn between two tests.
    await setImmediate()
  }
}
