import type { SandboxCustomer } from '@recado/contract/sandbox'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { PhoneAction } from './use-send-as-customer.ts'

const PhoneLocationDialog = lazy(() =>
  import('./phone-location-dialog.tsx').then((module) => ({ default: module.PhoneLocationDialog })),
)
const PhoneContactCardDialog = lazy(() =>
  import('./phone-contact-card-dialog.tsx').then((module) => ({ default: module.PhoneContactCardDialog })),
)

/** The two attachments that need some input before they are sent. */
export function useAttachDialogs(people: SandboxCustomer[], write: (action: PhoneAction) => void) {
  const [state, setState] = useState({ what: 'place' as 'place' | 'card', opened: false, times: 0 })
  const open = (what: 'place' | 'card') => setState(({ times }) => ({ what, opened: true, times: times + 1 }))
  const close = () => setState((before) => ({ ...before, opened: false }))
  const send = (action: PhoneAction) => {
    close()
    write(action)
  }
  const shared = { opened: state.opened, onClose: close, onSend: send }
  const drawn: ReactNode = state.times > 0 && (
    <Suspense fallback={null}>
      {state.what === 'place' ? (
        <PhoneLocationDialog key={state.times} {...shared} />
      ) : (
        <PhoneContactCardDialog key={state.times} {...shared} customers={people} />
      )}
    </Suspense>
  )
  return { openPlace: () => open('place'), openCard: () => open('card'), element: drawn }
}
