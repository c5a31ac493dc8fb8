import { useCan } from '../../lib/can.tsx'

/** The reader: a user with a company-wide view, a supervisor with their queues, or an agent with their own. */
export function useReportAudience(): { isWhole: boolean; isAgent: boolean } {
  const may = useCan()
  const isWhole = may('dashboard:view')
  return { isWhole, isAgent: !isWhole && !may('tickets:lead') }
}
