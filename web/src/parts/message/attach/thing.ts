import type { PlaceWrite } from '@recado/contract/messages'

/** What is neither words nor a file; the body is what the server will make of it. */
export type Thing = { kind: 'locationMessage'; location: PlaceWrite } | { kind: 'contactMessage'; contactCard: number }
