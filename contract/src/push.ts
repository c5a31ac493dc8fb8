import { z } from 'zod'
import { del, get, messageReply, post } from './endpoint.ts'

const address = z.url({ protocol: /^https?$/ }).max(2000)

/** A subscription in the format of a browser's PushManager. */
export const PushSubscription = z.object({
  endpoint: address,
  keys: z.object({
    p256dh: z.string().regex(/^[\w-]{60,200}={0,2}$/),
    auth: z.string().regex(/^[\w-]{10,100}={0,2}$/),
  }),
})

export const pushApi = {
  key: get('/push/key', {
    about: "The platform's public key (VAPID), to subscribe a browser with",
    access: 'session',
    reply: z.object({ publicKey: z.string() }),
  }),
  subscribe: post('/push', {
    about: 'Subscribe this browser to push notifications for when no tab is open',
    access: 'session',
    body: PushSubscription,
    example: {
      endpoint: 'https://push.example/browser/1',
      keys: {
        p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        auth: 'tBHItJI5svbpez7KI4CCXg',
      },
    },
    reply: messageReply,
  }),
  unsubscribe: del('/push', {
    about: 'Unsubscribe this browser from push notifications',
    access: 'session',
    query: z.object({ endpoint: address }),
    reply: messageReply,
  }),
}
