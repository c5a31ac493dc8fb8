import { dueSchedule, goneSchedule, sendSchedule, settleSchedule } from '../../desk/schedules/send.ts'
import { timer } from './timer.ts'

/** Somebody wrote it to be sent now. One that waits for its line is looked at again when the line is there, or too late. */
export const schedules = timer({
  look: `
    select s."companyId", s.id, s."sendAt" as at
    from schedules s left join whatsapps w on w."companyId" = s."companyId" and w.id = s."whatsappId"
    where s.status in ('PENDENTE', 'AGENDADA') and s."messageId" is null and s."heldAt" is null
      and s."sendAt" <= $1 and s.id <> all($3::int[])
      and (s."waitsUntil" is null or s."waitsUntil" < $1 or w.status = 'CONNECTED')
    order by s."sendAt" limit $2`,
  hold: dueSchedule,
  act: sendSchedule,
})

/** What became of its message. */
export const scheduled = timer({
  look: `
    select s."companyId", s.id, 'epoch'::timestamptz as at
    from schedules s left join messages m on m."companyId" = s."companyId" and m.id = s."messageId"
    where s.status in ('AGENDADA', 'ERRO') and s."messageId" is not null and s.id <> all($3::int[])
      and $1::timestamptz is not null
      and (m.state = 'sent' or (s.status = 'AGENDADA' and (m.id is null or m.state = 'failed')))
    order by s."messageId" limit $2`,
  hold: goneSchedule,
  act: settleSchedule,
})
