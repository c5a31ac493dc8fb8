import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { Flow } from '@recado/contract/flows/flows'
import { CustomerPhoneMockup } from '../../../parts/customer-phone-mockup.tsx'
import type { Sentences } from '../sentence/sentences.ts'

type Props = {
  flow: Flow
  document: FlowDocument
  sentences: Sentences
  /** The step that spoke last; null: none yet. */
  onReach: (stepId: string | null) => void
}

/** The customer's phone with the draft. */
export const TestPhone = ({ flow }: Props) => <CustomerPhoneMockup label={flow.name}>{null}</CustomerPhoneMockup>
