import type { LocationWrite } from '@recado/contract/messages'

/** What is neither words nor a file; the body is what the server will make of it. */
export type LocationOrCard =
  | { kind: 'locationMessage'; location: LocationWrite }
  | { kind: 'contactMessage'; contactCard: number }
