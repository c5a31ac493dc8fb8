import type { ContactMedia } from '@recado/contract/contacts'
import type { Message } from '@recado/contract/messages'

/** A contact's media in the message format of the lightbox. */
export const mediaToMessage = (media: ContactMedia): Message => ({
  ...media,
  ticketNumber: 0,
  mediaType: media.mediaType as Message['mediaType'],
  mediaState: 'ready',
  mediaSize: null,
  mediaPages: null,
  clientId: null,
  body: '',
  read: true,
  ack: 0,
  error: null,
  isDeleted: false,
  isEdited: false,
  isForwarded: false,
  heldUntil: null,
  transcript: null,
  bot: null,
  user: null,
  campaign: null,
  apiKey: null,
  ad: null,
  reactions: [],
  contact: null,
  quotedMsg: null,
})
