import { type FirstStepsState, settingsApi } from '@recado/contract/settings'
import { sql } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import { route } from '../kernel/http/routes.ts'

/**
 * Reads which onboarding steps are done, each checked as a customer would experience it. The first user is the one with
 * the lowest id.
 */
async function loadFirstSteps(scope: Scope): Promise<FirstStepsState> {
  const { companyId } = scope
  const { rows } = await sql<FirstStepsState>`
    with first as (select min(id) as id from users where "companyId" = ${companyId}),
    colleagues as (
      select u.* from users u, first where u."companyId" = ${companyId} and u.id <> first.id and u.active and not u.invited
    ),
    "reachedQueues" as (
      select q."queueId" from "whatsappQueues" q
      join whatsapps w on w."companyId" = q."companyId" and w.id = q."whatsappId"
      where q."companyId" = ${companyId} and w.status = 'CONNECTED'
    )
    select
      exists (select 1 from whatsapps where "companyId" = ${companyId} and status = 'CONNECTED') as line,
      exists (select 1 from "reachedQueues") as queue,
      exists (
        select 1 from colleagues c where c.profile = 'admin' or exists (
          select 1 from "userQueues" m join "reachedQueues" r on r."queueId" = m."queueId"
          where m."companyId" = ${companyId} and m."userId" = c.id)
      ) as people,
      exists (
        select 1 from colleagues c where exists (
          select 1 from "ticketTracking" t
          where t."companyId" = ${companyId} and t."userId" = c.id and t."answeredAt" is not null)
      ) as answered`.execute(scope.db)
  return rows[0] as FirstStepsState
}

export const firstStepRoutes = [route(settingsApi.firstSteps, loadFirstSteps)]
