import { reportSectionsApi } from '@recado/contract/dashboard/report-sections'
import { route } from '../../kernel/http/routes.ts'
import { buildAdsReport } from './ads.ts'
import { buildBotReport } from './bot.ts'
import { buildCampaignsReport, buildLinesReport } from './campaigns-and-lines.ts'
import { buildClosingReport } from './closing.ts'
import { buildCostsReport } from './costs.ts'
import { buildDayReport } from './day.ts'
import { cacheReport, type ReportParams, resolveReportQuery } from './query.ts'
import { buildRatingsReport, listRatingComments } from './ratings.ts'
import { buildVolumesReport } from './volumes.ts'

/** The report sections below the overview. */
export function reportSectionRoutes() {
  const bot = cacheReport((scope, query, { compare }: ReportParams) => buildBotReport(scope, query, compare ?? false))
  const ratings = cacheReport((scope, query, { compare }: ReportParams) =>
    buildRatingsReport(scope, query, compare ?? false),
  )
  const volumes = cacheReport((scope, query, { compare }: ReportParams) =>
    buildVolumesReport(scope, query, compare ?? false),
  )
  const closing = cacheReport((scope, query, { compare }: ReportParams) =>
    buildClosingReport(scope, query, compare ?? false),
  )
  const day = cacheReport((scope, query, wanted: ReportParams, today) =>
    buildDayReport(scope, query, wanted.day, today),
  )
  const campaigns = cacheReport((scope, query, _: ReportParams) => buildCampaignsReport(scope, query))
  const ads = cacheReport((scope, query, _: ReportParams) => buildAdsReport(scope, query))
  const costs = cacheReport((scope, query, _: ReportParams) => buildCostsReport(scope, query))
  const lines = cacheReport((scope, query, _: ReportParams) => buildLinesReport(scope, query))
  return [
    route(reportSectionsApi.bot, (scope, { query }) => bot(scope, query)),
    route(reportSectionsApi.ratings, (scope, { query }) => ratings(scope, query)),
    route(reportSectionsApi.comments, async (scope, { query }) =>
      listRatingComments(scope, (await resolveReportQuery(scope, query)).asked, query.pageNumber),
    ),
    route(reportSectionsApi.volumes, (scope, { query }) => volumes(scope, query)),
    route(reportSectionsApi.closing, (scope, { query }) => closing(scope, query)),
    route(reportSectionsApi.day, (scope, { query }) => day(scope, query)),
    route(reportSectionsApi.campaigns, (scope, { query }) => campaigns(scope, query)),
    route(reportSectionsApi.ads, (scope, { query }) => ads(scope, query)),
    route(reportSectionsApi.costs, (scope, { query }) => costs(scope, query)),
    route(reportSectionsApi.lines, (scope, { query }) => lines(scope, query)),
  ]
}
