import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { Flow } from '@recado/contract/flows/flows'
import { useFlowTests } from './use-flow-tests.ts'

type Props = { flow: Flow; document: FlowDocument }

/** The recorded tests, among the checks of a draft. */
export function TestChecks({ flow }: Props) {
  const { tests = [] } = useFlowTests(flow.id)
  return (
    <ul>
      {tests.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  )
}
