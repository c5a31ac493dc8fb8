import type { LocationWrite } from '@recado/contract/messages'

/** An attachment that is neither text nor a file. The body is the text that the server will store. */
export type LocationOrCard =
  | { kind: 'locationMessage'; location: LocationWrite }
  | { kind: 'contactMessage'; contactCard: number }
