import { type CampaignDetail, campaignsApi, confirmationKeys, messageKeys } from '@recado/contract/campaigns/campaigns'
import { momentAt, wallOf } from '@recado/contract/schedules/repetition'
import { call } from '../../../lib/api.ts'
import { mediaOf } from '../../../parts/attached-media.ts'
import type { FileValue } from '../../../records/fields/field.ts'
import type { Problem } from '../../../records/problems.ts'

type Texts = Record<(typeof messageKeys)[number] | (typeof confirmationKeys)[number], string>
export type Values = Texts & {
  name: string
  contactListId: string | null
  tagId: string | null
  whatsappId: string | null
  queueId: string | null
  fileListId: string | null
  confirmation: boolean
  /** By the company's clocks; empty: as soon as it is started. */
  scheduledAt: string
  template: CampaignDetail['template']
  media: FileValue
}

const idOf = (id: number | null | undefined) => (id ? String(id) : null)
const show = (id: number) => call(campaignsApi.show, { params: { id }, query: { lean: true } })

/** What the form starts with. A copy has everything but the file, the name of its own and the time. */
export function valuesOf(row: CampaignDetail | null, zone: string, copyName: string | null): Values {
  const texts = Object.fromEntries([...messageKeys, ...confirmationKeys].map((key) => [key, row?.[key] ?? ''])) as Texts
  const isCopy = copyName !== null
  return {
    ...texts,
    name: isCopy ? copyName.slice(0, 50) : (row?.name ?? ''),
    contactListId: idOf(row?.contactListId),
    tagId: idOf(row?.tagId),
    whatsappId: idOf(row?.whatsappId),
    queueId: idOf(row?.queueId),
    fileListId: idOf(row?.fileListId),
    confirmation: row?.confirmation ?? false,
    scheduledAt: row?.scheduledAt && !isCopy ? wallOf(new Date(row.scheduledAt), zone) : '',
    template: row?.template ?? null,
    media: mediaOf(isCopy ? null : row, (path) => path, show),
  }
}

const number = (id: string | null) => (id === null ? null : Number(id))

/** As the server takes it. `when`: a draft has no time, because whatever has one goes out. */
export const bodyOf = ({ media: _media, ...values }: Values, when: string | null) => ({
  ...values,
  contactListId: number(values.contactListId),
  tagId: number(values.tagId),
  whatsappId: number(values.whatsappId),
  queueId: number(values.queueId),
  fileListId: number(values.fileListId),
  scheduledAt: when,
})

/** The minute that runs now may still be chosen, as on the server. */
export function mustBeAhead(scheduledAt: string, zone: string): Record<string, Problem> {
  const isOver = scheduledAt !== '' && momentAt(scheduledAt, zone).getTime() < Date.now() - 60_000
  return isOver ? { scheduledAt: { kind: 'In the past' } } : {}
}
