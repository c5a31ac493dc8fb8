import { useState } from 'react'
import { useSession } from '../../lib/session.tsx'

/** Logs in with a passkey. */
export function usePasskeyLogin(onFailure: (error: unknown) => void) {
  const { loginWithPasskey } = useSession()
  const [busy, setBusy] = useState(false)
  const enter = async () => {
    if (busy) return
    setBusy(true)
    onFailure(null)
    try {
      await loginWithPasskey()
    } catch (error) {
      const { isPasskeyCancelled } = await import('../../lib/passkeys.ts')
      if (!isPasskeyCancelled(error)) onFailure(error)
      setBusy(false)
    }
  }
  return { busy, loginWithPasskey: () => void enter() }
}
