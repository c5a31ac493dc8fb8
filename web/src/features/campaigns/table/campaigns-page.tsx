import { type Campaign, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { IconBroadcast, IconChartBar, IconCopy, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { callApi } from '../../../lib/api.ts'
import { formatDayTime, formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ClippedText, MutedText, TwoLineCell } from '../../../records/cells.tsx'
import { RecordsPage } from '../../../records/records-page.tsx'
import type { TableColumn } from '../../../records/table-column.ts'
import { recordSourceOf } from '../../../records/use-records.ts'
import { canCancelCampaign, cancelCampaign, canRestartCampaign, restartCampaign } from '../shared/campaign-actions.ts'
import { CampaignLayout } from '../shared/campaign-layout.tsx'
import { CampaignStatusChip } from '../shared/campaign-status-chip.tsx'
import { campaignScreenTexts } from '../shared/texts.ts'
import { useSendFailureText } from '../shared/use-send-failure-text.ts'
import { CampaignProgressBar } from './campaign-progress-bar.tsx'
import { texts } from './texts.ts'

const source = recordSourceOf(campaignsApi)

export function CampaignsPage() {
  const words = useTexts(texts)
  const common = useTexts(campaignScreenTexts)
  const navigate = useNavigate()
  const open = (id: string, search = {}) =>
    void navigate({ to: '/campaigns/$campaignId', params: { campaignId: id }, search })
  const icon = { size: 17, stroke: 1.75 }
  return (
    <CampaignLayout tab="campaigns">
      <RecordsPage
        isEmbedded
        source={source}
        words={words.words}
        columns={useColumns()}
        nameOf={(campaign) => campaign.name}
        icon={<IconBroadcast size={26} stroke={1.6} />}
        open={(row) => open(row ? String(row.id) : 'new')}
        loadForm={() => import('../form/campaign-page.tsx')}
        remove={({ id }) => callApi(campaignsApi.remove, { params: { id } })}
        consequence={({ startedAt }) => (startedAt ? words.reportGoes : words.notSent)}
        permissions={{ create: true, edit: () => true, remove: ({ status }) => status !== 'EM_ANDAMENTO' }}
        hasTallRows
        tone={({ status, held }) => (status === 'EM_ANDAMENTO' && held !== null ? 'warn' : undefined)}
        actions={[
          {
            key: 'report',
            label: common.report,
            icon: <IconChartBar {...icon} />,
            isOffered: ({ startedAt }) => startedAt !== null,
            run: ({ id }) => void navigate({ to: '/campaign/$campaignId/report', params: { campaignId: String(id) } }),
            direct: words.reportOf,
          },
          {
            key: 'cancel',
            label: common.cancel,
            icon: <IconPlayerStop {...icon} />,
            isOffered: canCancelCampaign,
            run: (row) => void cancelCampaign(row),
            direct: words.cancelNamed,
          },
          {
            key: 'restart',
            label: common.restart,
            icon: <IconPlayerPlay {...icon} />,
            isOffered: canRestartCampaign,
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
    </CampaignLayout>
  )
}

function useColumns(): TableColumn<Campaign>[] {
  const words = useTexts(texts)
  const failure = useSendFailureText()
  return [
    { key: 'name', head: words.name, card: 'title', cell: ({ name }) => <ClippedText isStrong>{name}</ClippedText> },
    {
      key: 'state',
      head: words.state,
      width: 140,
      card: 'end',
      cell: (campaign) => <CampaignStatusChip campaign={campaign} />,
    },
    {
      key: 'audience',
      head: words.audience,
      width: 190,
      isLowPriority: true,
      cell: ({ contactList, tag, whatsapp }) => (
        <TwoLineCell
          first={<ClippedText>{contactList?.name ?? (tag && words.tag(tag.name)) ?? words.noList}</ClippedText>}
          second={whatsapp?.name ?? words.noLine}
        />
      ),
    },
    {
      key: 'when',
      head: words.when,
      width: 170,
      cell: ({ scheduledAt, startedAt, completedAt }) => (
        <TwoLineCell
          first={formatDayTime(startedAt ?? scheduledAt) || <MutedText>{words.noDate}</MutedText>}
          second={completedAt ? words.ended(formatDayTime(completedAt)) : '—'}
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
          <MutedText>{words.notBegun}</MutedText>
        ) : (
          <TwoLineCell
            first={<CampaignProgressBar counts={counts} />}
            second={
              status === 'EM_ANDAMENTO' && held !== null
                ? failure(held)
                : words.done(formatNumber(counts.sent), formatNumber(counts.valid)) +
                  (counts.failed > 0 ? ` · ${words.failed(counts.failed, formatNumber(counts.failed))}` : '')
            }
          />
        ),
    },
  ]
}
