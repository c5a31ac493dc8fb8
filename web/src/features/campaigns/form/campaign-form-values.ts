import {
  type CampaignDetail,
  campaignConfirmationKeys,
  campaignMessageKeys,
  campaignsApi,
} from '@recado/contract/campaigns/campaigns'
import { dateOfWallTime, toWallTime } from '@recado/contract/schedules/occurrences'
import { callApi } from '../../../lib/api.ts'
import { initialMediaValue } from '../../../parts/attached-media.ts'
import type { FieldProblemDetail } from '../../../records/field-problems.ts'
import type { FileValue } from '../../../records/fields/field.ts'

type CampaignMessages = Record<(typeof campaignMessageKeys)[number] | (typeof campaignConfirmationKeys)[number], string>
export type CampaignFormValues = CampaignMessages & {
  name: string
  contactListId: string | null
  tagId: string | null
  whatsappId: string | null
  queueId: string | null
  fileListId: string | null
  confirmation: boolean
  /** The start time in the company's time zone. Empty: the campaign is sent as soon as it is started. */
  scheduledAt: string
  template: CampaignDetail['template']
  media: FileValue
}

const toIdText = (id: number | null | undefined) => (id ? String(id) : null)
const readCampaign = (id: number) => callApi(campaignsApi.show, { params: { id }, query: { lean: true } })

/** Initial form values. A copy has everything except the file, the name and the time. */
export function toCampaignFormValues(
  row: CampaignDetail | null,
  zone: string,
  copyName: string | null,
): CampaignFormValues {
  const texts = Object.fromEntries(
    [...campaignMessageKeys, ...campaignConfirmationKeys].map((key) => [key, row?.[key] ?? '']),
  ) as CampaignMessages
  const isCopy = copyName !== null
  return {
    ...texts,
    name: isCopy ? copyName.slice(0, 50) : (row?.name ?? ''),
    contactListId: toIdText(row?.contactListId),
    tagId: toIdText(row?.tagId),
    whatsappId: toIdText(row?.whatsappId),
    queueId: toIdText(row?.queueId),
    fileListId: toIdText(row?.fileListId),
    confirmation: row?.confirmation ?? false,
    scheduledAt: row?.scheduledAt && !isCopy ? toWallTime(new Date(row.scheduledAt), zone) : '',
    template: row?.template ?? null,
    media: initialMediaValue(isCopy ? null : row, (path) => path, readCampaign),
  }
}

const toId = (id: string | null) => (id === null ? null : Number(id))

/** The request body. `when`: a draft is saved without a time, because a campaign with a time is sent. */
export const toCampaignBody = ({ media, ...values }: CampaignFormValues, when: string | null) => ({
  ...values,
  fileFollows: Boolean(media.file),
  contactListId: toId(values.contactListId),
  tagId: toId(values.tagId),
  whatsappId: toId(values.whatsappId),
  queueId: toId(values.queueId),
  fileListId: toId(values.fileListId),
  scheduledAt: when,
})

/** The current minute may still be chosen, as on the server. */
export function checkScheduledInFuture(scheduledAt: string, zone: string): Record<string, FieldProblemDetail> {
  const isOver = scheduledAt !== '' && dateOfWallTime(scheduledAt, zone).getTime() < Date.now() - 60_000
  return isOver ? { scheduledAt: { kind: 'In the past' } } : {}
}
