-- en: Works for a second: shorter than the lease, so that what goes wrong is all that matters.
-- zh: 只执行一秒，短于租约：起作用的只有故障。
acquire()
enter('checkout')
work(1000)
leave('checkout')
release()
