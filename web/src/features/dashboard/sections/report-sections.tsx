import type { DashboardView } from '@recado/contract/dashboard/dashboard'
import { reportSectionsApi } from '@recado/contract/dashboard/report-sections'
import { useCan } from '../../../lib/can.tsx'
import { useTexts } from '../../../lib/texts.ts'
import cards from '../dashboard.module.css'
import { RenderWhenVisible } from '../render-when-visible.tsx'
import type { DashboardQuery } from '../use-dashboard-query.ts'
import { useReportAudience } from '../use-report-audience.ts'
import { AdsReport } from './ads-report.tsx'
import { BotReportCard } from './bot-report-card.tsx'
import { CampaignsReport, LinesReport } from './campaigns-and-lines-report.tsx'
import { ClosingReportCard } from './closing-report-card.tsx'
import { closingReportTexts } from './closing-report-texts.ts'
import { CostsReport } from './costs-report.tsx'
import { DayReport } from './day-report.tsx'
import { RatingsReportCard } from './ratings-report-card.tsx'
import { ReportSection } from './report-section.tsx'
import classes from './sections.module.css'
import type { ShowTickets } from './show-tickets.ts'
import { reportSectionTexts } from './texts.ts'
import { VolumeReport } from './volume-report.tsx'

type Props = { address: DashboardQuery; view: DashboardView; onShow: ShowTickets }

/** The sections below the main part. Each loads when it scrolls into view. */
export function ReportSections({ address, view, onShow }: Props) {
  const words = useTexts(reportSectionTexts)
  const closingWords = useTexts(closingReportTexts)
  const { isAgent } = useReportAudience()
  const maySeeCosts = useCan()('dashboard:view')
  const sectionProps = { height: 320, query: address }
  const ratings = (
    <ReportSection {...sectionProps} endpoint={reportSectionsApi.ratings} title={words.ratings}>
      {(read) => <RatingsReportCard ratings={read} query={address} onShow={onShow} />}
    </ReportSection>
  )
  const day = (
    <RenderWhenVisible height={640}>
      <DayReport address={address} view={view} isOwn={isAgent} onShow={onShow} />
    </RenderWhenVisible>
  )
  // There is no report per agent for bots, tags and lines.
  if (isAgent)
    return (
      <>
        {day}
        <RenderWhenVisible height={320}>{ratings}</RenderWhenVisible>
      </>
    )
  return (
    <>
      {day}
      <RenderWhenVisible height={320}>
        <div className={cards.row}>
          <ReportSection {...sectionProps} endpoint={reportSectionsApi.bot} title={words.bot}>
            {(bot) => <BotReportCard bot={bot} onShow={onShow} />}
          </ReportSection>
          {ratings}
        </div>
      </RenderWhenVisible>
      <RenderWhenVisible height={280}>
        <ReportSection {...sectionProps} endpoint={reportSectionsApi.volumes} title={words.volumes}>
          {(volumes) => <VolumeReport volumes={volumes} onShow={onShow} />}
        </ReportSection>
      </RenderWhenVisible>
      <RenderWhenVisible height={240}>
        <ReportSection {...sectionProps} endpoint={reportSectionsApi.closing} title={closingWords.title}>
          {(report) => <ClosingReportCard report={report} onShow={onShow} />}
        </ReportSection>
      </RenderWhenVisible>
      <RenderWhenVisible height={280}>
        <div className={`${cards.row} ${classes.even}`}>
          <ReportSection {...sectionProps} endpoint={reportSectionsApi.campaigns} title={words.campaigns}>
            {({ campaigns }) => <CampaignsReport campaigns={campaigns} />}
          </ReportSection>
          <ReportSection {...sectionProps} endpoint={reportSectionsApi.lines} title={words.lines}>
            {({ lines }) => <LinesReport lines={lines} onShow={onShow} />}
          </ReportSection>
        </div>
      </RenderWhenVisible>
      <RenderWhenVisible height={200}>
        <ReportSection {...sectionProps} endpoint={reportSectionsApi.ads} title={words.ads}>
          {({ ads }) => <AdsReport ads={ads} />}
        </ReportSection>
      </RenderWhenVisible>
      {maySeeCosts && (
        <RenderWhenVisible height={200}>
          <ReportSection {...sectionProps} endpoint={reportSectionsApi.costs} title={words.costs}>
            {(report) => <CostsReport report={report} />}
          </ReportSection>
        </RenderWhenVisible>
      )}
    </>
  )
}
