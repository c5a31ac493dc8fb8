import { storageApi, storageWarningRatio } from '@recado/contract/server'
import { IconDatabaseExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts } from './texts.ts'

/** Warns admins once per visit that the plan's storage is nearly or completely used up. */
export function useStorageWarning(): void {
  const isAdmin = useCan()('settings-page:edit')
  const navigate = useNavigate()
  const { data } = useQuery({
    queryKey: ['storage'],
    queryFn: ({ signal }) => callApi(storageApi.usage, {}, { signal }),
    enabled: isAdmin,
    staleTime: 10 * 60_000,
    retry: false,
  })
  const share = data?.quotaBytes ? data.bytes / data.quotaBytes : 0
  const level = share >= 1 ? 'full' : share >= storageWarningRatio ? 'nearlyFull' : null
  useEffect(() => {
    if (!level) return toast.hide('storage')
    const words = currentTexts(texts)
    toast.warn(words.storage[level], words.storageLine, {
      id: 'storage',
      isPersistent: true,
      icon: <IconDatabaseExclamation size={20} stroke={1.75} />,
      action: { label: words.storageShow, run: () => void navigate({ to: '/settings' }) },
    })
  }, [level, navigate])
}
