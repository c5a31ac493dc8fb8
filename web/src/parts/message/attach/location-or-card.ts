import type { LocationWrite } from '@recado/contract/messages'

/** An attachment that is neither text nor a file; the body is what the server will store. */
export type LocationOrCard =
  | { kind: 'locationMessage'; location: LocationWrite }
  | { kind: 'contactMessage'; contactCard: number }
