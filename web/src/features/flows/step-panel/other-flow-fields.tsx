import { Select } from '@mantine/core'
import { flowKinds } from '@recado/contract/flows/flow-line'
import { type FlowSummary, flowsApi } from '@recado/contract/flows/flows'
import { useQueries } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { refetchOnOpen } from '../../../parts/select-option-queries.ts'
import { filterSelectOptions, toSelectOptions } from '../../../ui/select-options.ts'
import type { FieldsProps } from './panel-context.ts'
import { stepPanelTexts } from './texts.ts'

/** Every published rule, sequence and flow; undefined while they load. */
function usePublishedFlows(): FlowSummary[] | undefined {
  const replies = useQueries({
    queries: flowKinds.map((kind) => ({
      queryKey: ['flows-to-choose', kind],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await callApi(flowsApi.list, { query: { kind } }, { signal })).flows,
      ...refetchOnOpen,
    })),
  })
  if (replies.some(({ data }) => data === undefined)) return undefined
  return replies.flatMap(({ data = [] }) => data).filter(({ version }) => version !== null)
}

/** A document that is too long for the list may have the trigger: publishing finds it out. */
const mayBeStarted = ({ document }: FlowSummary): boolean =>
  document === null || document.triggers.some(({ kind }) => kind === 'flow')

/** Starts another flow, or ends sequences. */
export function OtherFlowFields({ step, onChange }: FieldsProps<'start' | 'stop'>) {
  const words = useTexts(stepPanelTexts)
  const all = usePublishedFlows()
  const isStart = step.kind === 'start'
  const offered = all?.filter((flow) => (isStart ? mayBeStarted(flow) : flow.kind === 'sequence'))
  const isGone = step.flowId !== null && offered !== undefined && !offered.some(({ id }) => id === step.flowId)
  const none = isStart ? words.noStartable : words.noSequences
  return (
    <Select
      label={words.flow}
      placeholder={isStart ? words.flow : words.allSequences}
      description={offered?.length === 0 ? none : isStart ? words.startHelp : undefined}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      data={toSelectOptions(offered ?? [])}
      filter={filterSelectOptions}
      searchable={(offered?.length ?? 0) > 6}
      clearable={!isStart}
      clearButtonProps={{ 'aria-label': words.allSequences }}
      allowDeselect={!isStart}
      comboboxProps={{ shadow: 'lg' }}
      error={isGone ? words.gone : isStart && step.flowId === null ? words.required : undefined}
      value={step.flowId === null ? null : String(step.flowId)}
      onChange={(value) => onChange({ ...step, flowId: value === null ? null : Number(value) })}
    />
  )
}
