import { reportSectionsApi } from '@recado/contract/dashboard/report-sections'
import { route } from '../../kernel/http/routes.ts'
import { buildBotReport } from './bot.ts'
import { buildCampaignsReport, buildLinesReport } from './campaigns-and-lines.ts'
import { buildDayReport } from './day.ts'
import { cacheReport, type ReportParams } from './query.ts'
import { buildRatingsReport } from './ratings.ts'
import { buildVolumesReport } from './volumes.ts'

/** The report sections below the overview. */
export function reportSectionRoutes() {
  const bot = cacheReport((scope, asked, { compare }: ReportParams) => buildBotReport(scope, asked, compare ?? false))
  const ratings = cacheReport((scope, asked, { compare }: ReportParams) =>
    buildRatingsReport(scope, asked, compare ?? false),
  )
  const volumes = cacheReport((scope, asked, { compare }: ReportParams) =>
    buildVolumesReport(scope, asked, compare ?? false),
  )
  const day = cacheReport((scope, asked, wanted: ReportParams, today) =>
    buildDayReport(scope, asked, wanted.day, today),
  )
  const campaigns = cacheReport((scope, asked, _: ReportParams) => buildCampaignsReport(scope, asked))
  const lines = cacheReport((scope, asked, _: ReportParams) => buildLinesReport(scope, asked))
  return [
    route(reportSectionsApi.bot, (scope, { query }) => bot(scope, query)),
    route(reportSectionsApi.ratings, (scope, { query }) => ratings(scope, query)),
    route(reportSectionsApi.volumes, (scope, { query }) => volumes(scope, query)),
    route(reportSectionsApi.day, (scope, { query }) => day(scope, query)),
    route(reportSectionsApi.campaigns, (scope, { query }) => campaigns(scope, query)),
    route(reportSectionsApi.lines, (scope, { query }) => lines(scope, query)),
  ]
}
