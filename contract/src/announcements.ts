import { z } from 'zod'
import { crud, flag, isoDateTime, mediaEndpoints, requiredText } from './endpoint.ts'

export const Announcement = z.object({
  id: z.number(),
  title: z.string(),
  text: z.string(),
  /** 1 high, 2 medium, 3 low. */
  priority: z.number(),
  status: z.boolean(),
  /** Served under /public/, with its own short-lived signature. */
  mediaPath: z.string().nullable(),
  mediaName: z.string().nullable(),
  createdAt: isoDateTime,
})
export type Announcement = z.infer<typeof Announcement>

export const AnnouncementWrite = z.object({
  title: requiredText(1, 100),
  text: requiredText(1, 4000),
  priority: z.coerce.number().int().min(1).max(3).default(3),
  status: flag.default(true),
})

export const announcementsApi = {
  /** Users see active announcements; the super user sees all. */
  ...crud({
    path: '/announcements',
    entity: 'announcement',
    plural: 'records',
    row: Announcement,
    search: ['title'],
    newestFirst: true,
    topic: { name: () => 'company-announcement' },
    write: AnnouncementWrite,
    example: {
      title: 'Mantenimiento este domingo',
      text: 'De 02:00 a 03:00 no saldrán mensajes.',
      priority: 1,
      status: true,
    },
    read: 'session',
    edit: 'super',
  }),
  ...mediaEndpoints('/announcements', 'announcement', 'super'),
}
