import type { FormField } from '../../../records/fields/field.ts'
import type { lineFormTexts } from './line-form-texts.ts'
import type { LineFormValues } from './line-form-values.ts'

/** Maximum length of a message of a line, in timer fields and in message fields. */
export const maxLineMessageLength = 4096

/** Fields for timed actions. */
export function createTimerFields(
  words: (typeof lineFormTexts)['es'],
  queues: { value: string; label: string }[],
): FormField<LineFormValues>[] {
  const half = { span: 'half', tab: 'times' } as const
  const maxMinutes = 525_600
  return [
    {
      kind: 'number',
      name: 'timeToTransfer',
      label: words.timeToTransfer,
      help: words.timeToTransferHelp,
      max: maxMinutes,
      ...half,
    },
    {
      kind: 'select',
      name: 'transferQueueId',
      label: words.transferQueue,
      help: words.transferQueueHelp,
      options: queues,
      placeholder: words.noQueue,
      clearable: true,
      ...half,
    },
    {
      kind: 'number',
      name: 'expiresTicket',
      label: words.expiresTicket,
      help: words.expiresTicketHelp,
      max: maxMinutes,
      tab: 'times',
    },
    {
      kind: 'textarea',
      name: 'expiresInactiveMessage',
      label: words.expiresMessage,
      limit: maxLineMessageLength,
      tab: 'times',
    },
    {
      kind: 'number',
      name: 'timeUseBotQueues',
      label: words.timeUseBot,
      help: words.timeUseBotHelp,
      max: maxMinutes,
      ...half,
    },
    {
      kind: 'number',
      name: 'maxUseBotQueues',
      label: words.maxUseBot,
      help: words.maxUseBotHelp,
      max: maxMinutes,
      ...half,
    },
  ]
}
