import { type LineMovePlan, lineMoveApi } from '@recado/contract/health/line-move'
import { countUsersOfLine } from '../../accounts/move-user-lines.ts'
import { findLinesOfMove, handOverLine, listQueuesToMove } from '../../directory/connections/move-line.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type Route, route } from '../../kernel/http/routes.ts'
import { countCampaignsOfLine, moveCampaignsToLine } from '../campaigns/move-line.ts'
import { countSchedulesOfLine, moveSchedulesToLine } from '../schedules/write.ts'
import { countTicketsToMove } from '../tickets/move-line.ts'

async function planLineMove(scope: Scope, fromId: number, toId: number): Promise<LineMovePlan> {
  await findLinesOfMove(scope, fromId, toId)
  return {
    ...(await countTicketsToMove(scope, fromId, toId)),
    ...(await countCampaignsOfLine(scope, fromId)),
    schedules: await countSchedulesOfLine(scope, fromId),
    queues: (await listQueuesToMove(scope, fromId, toId)).length,
    users: await countUsersOfLine(scope, fromId),
  }
}

export const lineMoveRoutes: Route[] = [
  route(lineMoveApi.plan, (scope, { params, query }) => planLineMove(scope, params.id, query.toId)),
  route(lineMoveApi.move, async (scope, { params, body }) => {
    const plan = await planLineMove(scope, params.id, body.toId)
    await handOverLine(scope, params.id, body.toId)
    await moveCampaignsToLine(scope, params.id, body.toId)
    await moveSchedulesToLine(scope, params.id, body.toId)
    return plan
  }),
]
