import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { Flow } from '@recado/contract/flows/flows'
import { LimitsBlock } from '../rules/editor/limits-block.tsx'
import { WhenBlock } from '../rules/editor/when-block.tsx'
import type { Sentences } from '../sentence/sentences.ts'

type Props = { document: FlowDocument; flow: Flow; sentences: Sentences; onChange: (document: FlowDocument) => void }

/** What starts a flow. */
export const StartPanel = ({ document, sentences, onChange }: Props) => (
  <>
    <WhenBlock
      triggers={document.triggers}
      sentences={sentences}
      onChange={(triggers) => onChange({ ...document, triggers })}
    />
    <LimitsBlock limits={document.limits} onChange={(limits) => onChange({ ...document, limits })} />
  </>
)
