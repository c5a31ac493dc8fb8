import type { Connection } from '@recado/contract/connections'
import type { Endpoint, EndpointInput } from '@recado/contract/endpoint'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'

/** Allows one call at a time; the new state arrives as an event. Returns true when the server accepted the call. */
export function useSessionCall(line: Connection) {
  const [busy, setBusy] = useState(false)
  const run = async <E extends Endpoint>(endpoint: E): Promise<boolean> => {
    setBusy(true)
    try {
      await callApi(endpoint, { params: { whatsappId: line.id } } as EndpointInput<E>)
      return true
    } catch (error) {
      toast.error(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}
