import {
  findFinishedSchedules,
  lockDueSchedules,
  sendSchedules,
  storeScheduleResults,
} from '../../desk/schedules/send.ts'
import { makeBatchTimer } from './timer.ts'

/**
 * Runs when a scheduled message is due. A message that waits for its line is checked again when the line connects or
 * when it is too late.
 */
export const scheduleSendTimer = makeBatchTimer({
  dueSql: `
    select s."companyId", s.id, s."sendAt" as at
    from schedules s left join whatsapps w on w."companyId" = s."companyId" and w.id = s."whatsappId"
    where s.status in ('PENDENTE', 'AGENDADA') and s."messageId" is null and s."heldAt" is null
      and s."sendAt" <= $1 and (s."uploadUntil" is null or s."uploadUntil" <= $1) and s.id <> all($3::int[])
      and (s."waitsUntil" is null or s."waitsUntil" < $1 or w.status = 'CONNECTED')
    order by s."sendAt" limit $2`,
  lockDue: lockDueSchedules,
  perform: sendSchedules,
})

/**
 * Stores the result of a scheduled message. A refused message can be sent again from the conversation, so its result is
 * checked until a day after the last hour at which it may have been sent (`scheduleLateHours`).
 */
export const scheduleResultTimer = makeBatchTimer({
  dueSql: `
    select * from (
      (select s."companyId", s.id, 'epoch'::timestamptz as at
       from schedules s left join messages m on m."companyId" = s."companyId" and m.id = s."messageId"
       where s.status = 'AGENDADA' and s."messageId" is not null and s.id <> all($3::int[])
         and (m.id is null or m.state in ('sent', 'failed'))
       order by s."messageId" limit $2)
      union all
      (select s."companyId", s.id, 'epoch'::timestamptz as at
       from schedules s join messages m on m."companyId" = s."companyId" and m.id = s."messageId"
       where s.status = 'ERRO' and s."messageId" is not null and s."sendAt" > $1::timestamptz - interval '2 days'
         and s.id <> all($3::int[]) and m.state = 'sent'
       order by s."sendAt" limit $2)
    ) gone limit $2`,
  lockDue: findFinishedSchedules,
  perform: storeScheduleResults,
})
