import type { DashboardView } from '@recado/contract/dashboard/dashboard'
import { reportSectionsApi } from '@recado/contract/dashboard/more'
import { useTexts } from '../../../lib/texts.ts'
import cards from '../dashboard.module.css'
import { RenderWhenVisible } from '../seen.tsx'
import type { DashboardQuery } from '../use-address.ts'
import { useReportAudience } from '../use-reader.ts'
import { BotReportCard } from './bot.tsx'
import classes from './more.module.css'
import { DayReport } from './one-day.tsx'
import { CampaignsReport, LinesReport } from './outside.tsx'
import { RatingsReportCard } from './ratings.tsx'
import { ReportSection } from './section.tsx'
import type { ShowTickets } from './show.ts'
import { reportSectionTexts } from './texts.ts'
import { VolumeReport } from './volumes.tsx'

type Props = { address: DashboardQuery; view: DashboardView; onShow: ShowTickets }

/** What stands below the first look. Each part is read when it comes into sight. */
export function ReportSections({ address, view, onShow }: Props) {
  const words = useTexts(reportSectionTexts)
  const { isAgent } = useReportAudience()
  const one = { height: 320, query: address }
  const ratings = (
    <ReportSection {...one} endpoint={reportSectionsApi.ratings} title={words.ratings}>
      {(read) => <RatingsReportCard ratings={read} onShow={onShow} />}
    </ReportSection>
  )
  const day = (
    <RenderWhenVisible height={640}>
      <DayReport address={address} view={view} isOwn={isAgent} onShow={onShow} />
    </RenderWhenVisible>
  )
  // Bots, tags and lines are no one person's.
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
          <ReportSection {...one} endpoint={reportSectionsApi.bot} title={words.bot}>
            {(bot) => <BotReportCard bot={bot} onShow={onShow} />}
          </ReportSection>
          {ratings}
        </div>
      </RenderWhenVisible>
      <RenderWhenVisible height={280}>
        <ReportSection {...one} endpoint={reportSectionsApi.volumes} title={words.volumes}>
          {(volumes) => <VolumeReport volumes={volumes} onShow={onShow} />}
        </ReportSection>
      </RenderWhenVisible>
      <RenderWhenVisible height={280}>
        <div className={`${cards.row} ${classes.even}`}>
          <ReportSection {...one} endpoint={reportSectionsApi.campaigns} title={words.campaigns}>
            {({ campaigns }) => <CampaignsReport campaigns={campaigns} />}
          </ReportSection>
          <ReportSection {...one} endpoint={reportSectionsApi.lines} title={words.lines}>
            {({ lines }) => <LinesReport lines={lines} onShow={onShow} />}
          </ReportSection>
        </div>
      </RenderWhenVisible>
    </>
  )
}
