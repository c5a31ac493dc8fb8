import { moreFiguresApi } from '@recado/contract/dashboard/more'
import { route } from '../../kernel/http/http.ts'
import { shared, type Wanted } from './asked.ts'
import { botView } from './bot.ts'
import { dayView } from './day.ts'
import { campaignsView, linesView } from './outside.ts'
import { ratingsView } from './ratings.ts'
import { volumesView } from './volumes.ts'

/** The sections below the first look. */
export function moreFigureRoutes() {
  const bot = shared((scope, asked, { compare }: Wanted) => botView(scope, asked, compare ?? false))
  const ratings = shared((scope, asked, { compare }: Wanted) => ratingsView(scope, asked, compare ?? false))
  const volumes = shared((scope, asked, { compare }: Wanted) => volumesView(scope, asked, compare ?? false))
  const day = shared((scope, asked, wanted: Wanted, today) => dayView(scope, asked, wanted.day, today))
  const campaigns = shared((scope, asked, _: Wanted) => campaignsView(scope, asked))
  const lines = shared((scope, asked, _: Wanted) => linesView(scope, asked))
  return [
    route(moreFiguresApi.bot, (scope, { query }) => bot(scope, query)),
    route(moreFiguresApi.ratings, (scope, { query }) => ratings(scope, query)),
    route(moreFiguresApi.volumes, (scope, { query }) => volumes(scope, query)),
    route(moreFiguresApi.day, (scope, { query }) => day(scope, query)),
    route(moreFiguresApi.campaigns, (scope, { query }) => campaigns(scope, query)),
    route(moreFiguresApi.lines, (scope, { query }) => lines(scope, query)),
  ]
}
