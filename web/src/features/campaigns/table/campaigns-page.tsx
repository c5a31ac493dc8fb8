import { type Campaign, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { IconBroadcast, IconChartBar, IconCopy, IconPlayerPlay, IconSquare } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../../lib/api.ts'
import { dayTime, number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Clip, Quiet, TwoLines } from '../../../records/cells.tsx'
import type { Column } from '../../../records/column.ts'
import { RecordsPage } from '../../../records/records-page.tsx'
import { sourceOf } from '../../../records/use-records.ts'
import { CampaignFrame } from '../frame/campaign-frame.tsx'
import { canCancel, cancelCampaign, canRestart, restartCampaign } from '../frame/deeds.ts'
import { useFailure } from '../frame/failures.ts'
import { StateChip } from '../frame/state-chip.tsx'
import { frameTexts } from '../frame/texts.ts'
import { Bar } from './bar.tsx'
import { texts } from './texts.ts'

const source = sourceOf(campaignsApi)

export function CampaignsPage() {
  const words = useTexts(texts)
  const common = useTexts(frameTexts)
  const navigate = useNavigate()
  const open = (id: string, search = {}) =>
    void navigate({ to: '/campaigns/$campaignId', params: { campaignId: id }, search })
  const icon = { size: 17, stroke: 1.75 }
  return (
    <CampaignFrame tab="campaigns">
      <RecordsPage
        embedded
        source={source}
        words={words.words}
        columns={useColumns()}
        nameOf={(campaign) => campaign.name}
        icon={<IconBroadcast size={26} stroke={1.6} />}
        open={(row) => open(row ? String(row.id) : 'new')}
        loadForm={() => import('../form/campaign-page.tsx')}
        remove={({ id }) => call(campaignsApi.remove, { params: { id } })}
        consequence={({ startedAt }) => (startedAt ? words.reportGoes : words.notSent)}
        may={{ create: true, edit: () => true, remove: ({ status }) => status !== 'EM_ANDAMENTO' }}
        tall
        tone={({ status, held }) => (status === 'EM_ANDAMENTO' && held !== null ? 'warn' : undefined)}
        actions={[
          {
            key: 'report',
            label: common.report,
            icon: <IconChartBar {...icon} />,
            offered: ({ startedAt }) => startedAt !== null,
            run: ({ id }) => void navigate({ to: '/campaign/$campaignId/report', params: { campaignId: String(id) } }),
            direct: words.reportOf,
          },
          {
            key: 'cancel',
            label: common.cancel,
            icon: <IconSquare {...icon} />,
            offered: canCancel,
            run: (row) => void cancelCampaign(row),
            direct: words.cancelNamed,
          },
          {
            key: 'restart',
            label: common.restart,
            icon: <IconPlayerPlay {...icon} />,
            offered: canRestart,
            run: (row) => void restartCampaign(row),
            direct: words.restartNamed,
          },
          {
            key: 'copy',
            label: common.duplicate,
            icon: <IconCopy {...icon} />,
            run: ({ id }) => open('new', { copy: id }),
          },
        ]}
      />
    </CampaignFrame>
  )
}

function useColumns(): Column<Campaign>[] {
  const words = useTexts(texts)
  const failure = useFailure()
  return [
    { key: 'name', head: words.name, card: 'title', cell: ({ name }) => <Clip strong>{name}</Clip> },
    {
      key: 'state',
      head: words.state,
      width: 140,
      card: 'end',
      cell: (campaign) => <StateChip campaign={campaign} />,
    },
    {
      key: 'audience',
      head: words.audience,
      width: 190,
      low: true,
      cell: ({ contactList, tag, whatsapp }) => (
        <TwoLines
          first={<Clip>{contactList?.name ?? (tag && words.tag(tag.name)) ?? words.noList}</Clip>}
          second={whatsapp?.name ?? words.noLine}
        />
      ),
    },
    {
      key: 'when',
      head: words.when,
      width: 170,
      cell: ({ scheduledAt, startedAt, completedAt }) => (
        <TwoLines
          first={dayTime(startedAt ?? scheduledAt) || <Quiet>{words.noDate}</Quiet>}
          second={completedAt ? words.ended(dayTime(completedAt)) : '—'}
        />
      ),
    },
    {
      key: 'progress',
      head: words.progress,
      width: 220,
      card: 'line',
      cell: ({ counts, status, held, startedAt }) =>
        startedAt === null ? (
          <Quiet>{words.notBegun}</Quiet>
        ) : (
          <TwoLines
            first={<Bar counts={counts} />}
            second={
              status === 'EM_ANDAMENTO' && held !== null
                ? failure(held)
                : words.done(number(counts.sent), number(counts.valid)) +
                  (counts.failed > 0 ? ` · ${words.failed(counts.failed, number(counts.failed))}` : '')
            }
          />
        ),
    },
  ]
}
