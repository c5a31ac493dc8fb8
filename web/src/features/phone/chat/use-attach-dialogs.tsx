import type { Customer } from '@recado/contract/sandbox'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Deed } from './use-writing.ts'

const PlaceDialog = lazy(() => import('./place-dialog.tsx').then((module) => ({ default: module.PlaceDialog })))
const CardDialog = lazy(() => import('./card-dialog.tsx').then((module) => ({ default: module.CardDialog })))

/** The two things that need a few words before they can be sent. */
export function useAttachDialogs(people: Customer[], write: (deed: Deed) => void) {
  const [state, setState] = useState({ what: 'place' as 'place' | 'card', opened: false, times: 0 })
  const open = (what: 'place' | 'card') => setState(({ times }) => ({ what, opened: true, times: times + 1 }))
  const close = () => setState((before) => ({ ...before, opened: false }))
  const send = (deed: Deed) => {
    close()
    write(deed)
  }
  const shared = { opened: state.opened, onClose: close, onSend: send }
  const drawn: ReactNode = state.times > 0 && (
    <Suspense fallback={null}>
      {state.what === 'place' ? (
        <PlaceDialog key={state.times} {...shared} />
      ) : (
        <CardDialog key={state.times} {...shared} people={people} />
      )}
    </Suspense>
  )
  return { openPlace: () => open('place'), openCard: () => open('card'), drawn }
}
