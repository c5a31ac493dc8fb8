import { Button, Menu, Skeleton } from '@mantine/core'
import { type CampaignReport, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { IconChevronDown, IconDownload, IconPencil, IconPlayerPlay, IconSquare } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { callFile } from '../../../lib/api.ts'
import { download } from '../../../lib/download.ts'
import { dayTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { BackTitle } from '../../../parts/back-title.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { canCancel, cancelCampaign, canRestart, restartCampaign } from '../frame/deeds.ts'
import { useFailure } from '../frame/failures.ts'
import { StateChip } from '../frame/state-chip.tsx'
import { frameTexts } from '../frame/texts.ts'
import type { Behind } from './behind.ts'
import { Curve } from './curve.tsx'
import { Failures } from './failures.tsx'
import { Figures } from './figures.tsx'
import { People } from './people.tsx'
import classes from './report.module.css'
import { texts } from './texts.ts'
import { useReport } from './use-report.ts'
import { Variants } from './variants.tsx'

export function ReportPage() {
  const { campaignId } = useParams({ strict: false })
  const id = Number(campaignId)
  const report = useReport(id)
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
  return <Report key={id} report={report.data} />
}

function Report({ report }: { report: CampaignReport }) {
  const words = useTexts(texts)
  const { campaign, variants, failures, skipped } = report
  const [behind, setBehind] = useState<Behind>({ group: 'valid' })
  return (
    <div className={classes.page}>
      <PageHeader
        title={
          <span className={classes.title}>
            <BackTitle to="/campaigns">{campaign.name}</BackTitle>
            <span className={classes.state}>
              <StateChip campaign={campaign} />
            </span>
            <small>
              {[campaign.contactList?.name ?? campaign.tag?.name, campaign.whatsapp?.name].filter(Boolean).join(' · ')}
            </small>
          </span>
        }
      >
        <Deeds report={report} behind={behind} />
      </PageHeader>
      <div className={classes.body}>
        <span className={classes.stateBelow}>
          <StateChip campaign={campaign} />
        </span>
        <Waits report={report} />
        <Figures campaign={campaign} behind={behind} onBehind={setBehind} />
        <p className={classes.dates}>
          {[
            campaign.scheduledAt && words.scheduledFor(dayTime(campaign.scheduledAt)),
            campaign.startedAt && words.began(dayTime(campaign.startedAt)),
            campaign.completedAt && words.ended(dayTime(campaign.completedAt)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className={classes.row} data-kind="curve">
          <Curve report={report} />
          <Variants variants={variants} />
        </div>
        <div className={classes.row} data-kind="people">
          <Failures campaign={campaign} failures={failures} skipped={skipped} onBehind={setBehind} />
          <People key={`${behind.group} ${behind.reason}`} campaign={campaign} behind={behind} />
        </div>
      </div>
    </div>
  )
}

/** Why nothing leaves just now. */
function Waits({ report: { campaign, waits } }: { report: CampaignReport }) {
  const words = useTexts(texts)
  const failure = useFailure()
  if (!waits) return null
  const why = waits.why === 'failing' ? words.failing(failure(campaign.held ?? '')) : words.waits[waits.why]
  return (
    <Notice kind={waits.why === 'not-begun' || waits.why === 'hours' ? 'info' : 'warn'}>
      {why}
      {waits.until && ` ${words.goesOnAt(dayTime(waits.until))}`}
    </Notice>
  )
}

function Deeds({ report: { campaign }, behind }: { report: CampaignReport; behind: Behind }) {
  const words = useTexts(texts)
  const common = useTexts(frameTexts)
  const navigate = useNavigate()
  const give = async (kind: 'csv' | 'xlsx') => {
    try {
      const endpoint = kind === 'csv' ? campaignsApi.export : campaignsApi.exportSheet
      const { file } = await callFile(endpoint, { params: { id: campaign.id }, query: behind })
      download(`${campaign.name}.${kind}`, file, file.type)
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
          <Menu.Label>{words.groups[behind.group]}</Menu.Label>
          <Menu.Item onClick={() => void give('csv')}>CSV</Menu.Item>
          <Menu.Item onClick={() => void give('xlsx')}>Excel (.xlsx)</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="default"
        leftSection={<IconPencil size={17} stroke={1.75} />}
        onClick={() => void navigate({ to: '/campaigns/$campaignId', params: { campaignId: String(campaign.id) } })}
      >
        {words.texts}
      </Button>
      {canRestart(campaign) && (
        <Button leftSection={<IconPlayerPlay size={17} stroke={1.75} />} onClick={() => void restartCampaign(campaign)}>
          {common.restart}
        </Button>
      )}
      {canCancel(campaign) && (
        <Button
          variant="default"
          className={classes.danger ?? ''}
          leftSection={<IconSquare size={17} stroke={1.75} />}
          onClick={() => void cancelCampaign(campaign)}
        >
          {common.cancel}
        </Button>
      )}
    </>
  )
}
