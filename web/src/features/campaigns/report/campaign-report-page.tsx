import { Button, Menu, Skeleton } from '@mantine/core'
import { type CampaignReport, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { IconChevronDown, IconDownload, IconPencil, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { callApiForFile } from '../../../lib/api.ts'
import { downloadFile } from '../../../lib/download.ts'
import { formatDayTime } from '../../../lib/format.ts'
import { formatCost } from '../../../lib/money/format-cost.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { BackTitle } from '../../../parts/back-title.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { canCancelCampaign, cancelCampaign, canRestartCampaign, restartCampaign } from '../shared/campaign-actions.ts'
import { CampaignStatusChip } from '../shared/campaign-status-chip.tsx'
import { campaignScreenTexts } from '../shared/texts.ts'
import { useSendFailureText } from '../shared/use-send-failure-text.ts'
import { CampaignCountsBar } from './campaign-counts-bar.tsx'
import { CampaignFailures } from './campaign-failures.tsx'
import { CampaignPeople } from './campaign-people.tsx'
import type { PeopleSelection } from './people-selection.ts'
import { ProgressChart } from './progress-chart.tsx'
import classes from './report.module.css'
import { texts } from './texts.ts'
import { useCampaignReport } from './use-campaign-report.ts'
import { VariantComparison } from './variant-comparison.tsx'

export function CampaignReportPage() {
  const { campaignId } = useParams({ strict: false })
  const id = Number(campaignId)
  const report = useCampaignReport(id)
  const words = useTexts(texts)
  if (report.isError) return <ErrorState error={report.error} onRetry={() => void report.refetch()} />
  if (!report.data)
    return (
      <div className={classes.page}>
        <PageHeader title={<BackTitle to="/campaigns">{words.title}</BackTitle>} />
        <div className={classes.body}>
          <Skeleton height={86} radius={12} />
          <Skeleton height={280} radius={12} />
        </div>
      </div>
    )
  return <CampaignReportView key={id} report={report.data} />
}

function CampaignReportView({ report }: { report: CampaignReport }) {
  const words = useTexts(texts)
  const { campaign, variants, failures, skipped, cost } = report
  const [selection, setBehind] = useState<PeopleSelection>({ group: 'valid' })
  return (
    <div className={classes.page}>
      <PageHeader
        title={
          <span className={classes.title}>
            <BackTitle to="/campaigns">{campaign.name}</BackTitle>
            <span className={classes.state}>
              <CampaignStatusChip campaign={campaign} />
            </span>
            <small>
              {[campaign.contactList?.name ?? campaign.tag?.name, campaign.whatsapp?.name].filter(Boolean).join(' · ')}
            </small>
          </span>
        }
      >
        <ReportActions report={report} selection={selection} />
      </PageHeader>
      <div className={classes.body}>
        <span className={classes.stateBelow}>
          <CampaignStatusChip campaign={campaign} />
        </span>
        <WaitingNotice report={report} />
        <CampaignCountsBar campaign={campaign} selection={selection} onSelect={setBehind} />
        <p className={classes.dates}>
          {[
            campaign.scheduledAt && words.scheduledFor(formatDayTime(campaign.scheduledAt)),
            campaign.startedAt && words.began(formatDayTime(campaign.startedAt)),
            campaign.completedAt && words.ended(formatDayTime(campaign.completedAt)),
            cost && (cost.amounts.length > 0 ? words.cost(formatCost(cost.amounts)) : words.noCost),
            cost && cost.unpriced > 0 && words.unpriced(cost.unpriced),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className={classes.row} data-kind="curve">
          <ProgressChart report={report} />
          <VariantComparison variants={variants} />
        </div>
        <div className={classes.row} data-kind="people">
          <CampaignFailures campaign={campaign} failures={failures} skipped={skipped} onSelect={setBehind} />
          <CampaignPeople key={`${selection.group} ${selection.reason}`} campaign={campaign} selection={selection} />
        </div>
      </div>
    </div>
  )
}

/** Why nothing is being sent at the moment. */
function WaitingNotice({ report: { campaign, waits } }: { report: CampaignReport }) {
  const words = useTexts(texts)
  const failure = useSendFailureText()
  if (!waits) return null
  const why = waits.why === 'failing' ? words.failing(failure(campaign.held ?? '')) : words.waits[waits.why]
  return (
    <InlineNotice kind={waits.why === 'not-begun' || waits.why === 'hours' ? 'info' : 'warn'}>
      {why}
      {waits.until && ` ${words.goesOnAt(formatDayTime(waits.until))}`}
    </InlineNotice>
  )
}

function ReportActions({ report: { campaign }, selection }: { report: CampaignReport; selection: PeopleSelection }) {
  const words = useTexts(texts)
  const common = useTexts(campaignScreenTexts)
  const navigate = useNavigate()
  const exportPeople = async (kind: 'csv' | 'xlsx') => {
    try {
      const endpoint = kind === 'csv' ? campaignsApi.export : campaignsApi.exportSheet
      const { file } = await callApiForFile(endpoint, { params: { id: campaign.id }, query: selection })
      downloadFile(`${campaign.name}.${kind}`, file, file.type)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconDownload size={17} stroke={1.75} />}
            rightSection={<IconChevronDown size={15} stroke={2} />}
          >
            {words.export}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{words.groups[selection.group]}</Menu.Label>
          <Menu.Item onClick={() => void exportPeople('csv')}>CSV</Menu.Item>
          <Menu.Item onClick={() => void exportPeople('xlsx')}>Excel (.xlsx)</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="default"
        leftSection={<IconPencil size={17} stroke={1.75} />}
        onClick={() => void navigate({ to: '/campaigns/$campaignId', params: { campaignId: String(campaign.id) } })}
      >
        {words.texts}
      </Button>
      {canRestartCampaign(campaign) && (
        <Button leftSection={<IconPlayerPlay size={17} stroke={1.75} />} onClick={() => void restartCampaign(campaign)}>
          {common.restart}
        </Button>
      )}
      {canCancelCampaign(campaign) && (
        <Button
          variant="default"
          className={classes.danger ?? ''}
          leftSection={<IconPlayerStop size={17} stroke={1.75} />}
          onClick={() => void cancelCampaign(campaign)}
        >
          {common.cancel}
        </Button>
      )}
    </>
  )
}
