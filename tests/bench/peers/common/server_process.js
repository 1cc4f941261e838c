// What the kernel knows of the server: CPU time and resident memory.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ticks_per_second = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/// Seconds and bytes, of all threads of the process. Throws if it is gone.
export function usage_of(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // See proc(5): after the name, which may hold blanks, comes field 3; utime is 14, stime 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    user_seconds: Number(fields[11]) / ticks_per_second,
    system_seconds: Number(fields[12]) / ticks_per_second,
    rss_bytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)[1]) * 1024,
  };
}
